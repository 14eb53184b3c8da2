package compile

import "tchain.dev/tchain/chain"

// beforeHC5 is the version of Spring, or of Spring Boot, whose request factory takes
// HttpClient 4 and not 5; nil if it takes 5, or is not written.
func (in clientInput) beforeHC5() *Value {
	v, first := in.blocks.value("spring"), "6.0"
	if !v.known() {
		v = in.versions.spring
	}
	if !v.known() {
		v, first = in.versions.boot, "3.0"
	}
	if in.typ.Key != "httpclient5" || !v.known() || atLeast(v.text(), first) {
		return nil
	}
	return v
}

// withoutFactory takes out what is written of Spring's factory where that takes
// HttpClient 4 only: HttpClient 5 is then called by hand.
func (r *hc5Reader) withoutFactory(c *hc5Config) {
	v := r.before
	if v == nil {
		return
	}
	const why = "Spring before 6.0 takes HttpClient 4 only"
	for _, set := range []struct {
		timer string
		by    **hc5Value
	}{{timerWait, &c.factoryRequest}, {timerConnect, &c.factoryConnect}, {timerRead, &c.factoryRead}} {
		if *set.by != nil {
			r.lose(set.timer, *set.by, why)
			*set.by = nil
		}
	}
	if len(r.blocks.child("factory")) > 0 || len(r.blocks.child("properties")) > 0 {
		r.notice(chain.NoticeRejected, v.Origin, v.name()+" "+v.text()+" has no factory and no properties for HttpClient 5: "+why+", as httpclient4")
	}
}
