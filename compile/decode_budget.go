package compile

// budgets checks facts of one layer against each other. base is the layer
// itself where l is what differs of it on a route, else nil.
func (d *decoder) budgets(l, base *Layer) {
	facts := layered{l.Facts}
	if low, high := facts.value("scale", "min"), facts.value("scale", "max"); low.known() && high.known() && low.number() > high.number() {
		d.failValue(low.Path, "scale has min %s above max %s", low.Text, high.Text)
	}
	if l.App == nil {
		return
	}
	blocks := layered{l.App.Block}.child("deadline")
	if len(blocks) > 0 && base != nil && base.App != nil {
		blocks = append(blocks, layered{base.App.Block}.child("deadline")...)
	}
	total, reserve := blocks.value("total"), blocks.value("reserve")
	for _, v := range []*Value{total, blocks.value("perCall")} {
		if v.known() && v.D <= 0 {
			d.failValue(v.Path, "%s is %s: no call would ever be made", v.Field.Name, v.Text)
			return
		}
	}
	if !total.known() || !reserve.known() || reserve.D < total.D {
		return
	}
	at := reserve
	if base != nil && reserve.Path[0] == "layers" {
		at = total // which is what the route says
	}
	d.failValue(at.Path, "reserve %s is not below total %s; nothing is left for the work", reserve.Text, total.Text)
}
