package compile

import (
	"math/big"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// flow demands of what a route says of its bodies that something moves at all, and
// that the layer which a heartbeat is from is on its way.
func (d *decoder) flow(r *RouteDecl) {
	b := layered{r.Block}
	d.someBytes(b.value("request", "upload", "rate"), b.value("request", "upload", "size"))
	d.someBytes(b.value("response", "download", "rate"), b.value("response", "download", "size"))
	for _, path := range [][]string{{"response", "stream", "heartbeat", "every"}, {"response", "websocket", "ping"}} {
		if v := b.value(path...); v.known() && v.D <= 0 {
			d.failValue(v.Path, "%s is %q; write the time from one to the next, or no %[1]s where nothing is sent", v.name(), v.Origin.Text)
		}
	}
	for _, m := range []chain.Mode{chain.Stream, chain.WebSocket} {
		if v := b.value("response", string(m), "total"); v.known() && v.D <= 0 {
			d.failValue(v.Path, "total is %q; write how long the %s lasts, or no total where that is not known", v.Origin.Text, m.Text())
		}
	}
	d.beating(r, b.value("response", "stream", "heartbeat", "from"))
}

func (d *decoder) beating(r *RouteDecl, v *Value) {
	name := v.text()
	if !v.known() || d.lost {
		return
	}
	if !d.isLayer(name) {
		d.failValue(v.Path, "unknown layer %q in heartbeat; %s", name, meant(name, d.layerNames(), 8))
		return
	}
	if reach := d.reachable(r); len(reach) > 0 && !slices.Contains(reach, name) {
		d.failValue(v.Path, "%s is not on the way of this route: %s", name, strings.Join(reach, ", "))
	}
}

// someBytes demands sizes of whole bytes that can be counted, and a rate of at
// least one: a body that does not move never ends.
func (d *decoder) someBytes(rate, size *Value) {
	for _, v := range []*Value{size, rate} {
		if !v.known() || v.text() == "" {
			continue
		}
		n, whole := bytesOf(v.text())
		switch {
		case !whole:
			d.failValue(v.Path, "%s is %q; it is a whole number of bytes, and less than 8 EiB", v.name(), v.Origin.Text)
		case v == rate && n == 0:
			d.failValue(v.Path, "rate is %q; write the bytes of a second, as \"1MB\": a body that does not move never ends", v.Origin.Text)
		}
	}
}

// byteUnits are the units of a size, longest first.
var byteUnits = []struct {
	suffix string
	size   int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1},
}

// bytesOf reads a size: "10MB", "64KiB", "1.5GB"; whole is false if it is no
// number of bytes, or more than fit.
func bytesOf(text string) (n int64, whole bool) {
	for _, u := range byteUnits {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			r, ok := new(big.Rat).SetString(number)
			if !ok {
				return 0, false
			}
			r.Mul(r, new(big.Rat).SetInt64(u.size))
			return r.Num().Int64(), r.IsInt() && r.Num().IsInt64()
		}
	}
	return 0, false
}

// sizeAndRate are the bytes of a body that takes time, and those of a second.
func sizeAndRate(b layered) (size, rate int64) {
	size, _ = bytesOf(b.value("size").text())
	rate, _ = bytesOf(b.value("rate").text())
	return size, rate
}
