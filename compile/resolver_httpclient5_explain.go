package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// The timers of the client, in words.
const (
	timerWait    = "wait for a pooled connection"
	timerConnect = "connect, for each address"
	timerTLS     = "TLS handshake, each read"
	timerRead    = "read, on a fresh connection"
	timerReused  = "read, on a reused connection"
	timerKeep    = "keep an idle connection"
)

// An hc5Pooled is a settled call, less what depends on the other requests that
// go over its connections.
type hc5Pooled struct {
	*hc5Reader
	config     *hc5Config
	request    hc5Request
	background []chain.Derivation
}

// settle says for each timer which entrance won, what was dropped and why, and
// which version decides. sent is what all routes send over the connections.
func (p *hc5Pooled) settle(sent []hc5Sender) ([]chain.Derivation, *chain.Notice) {
	c, req := p.config, p.request
	client, context := orEmpty(c.client), orEmpty(c.context)
	fresh := c.readFresh(req)
	out := []chain.Derivation{
		p.derive(timerWait, req.crt, c.whyWait(req), client.crt, context.crt, c.factoryRequest),
		p.derive(timerConnect, c.connect(req), c.whyConnect(req), client.rct, context.rct, c.factoryConnect, c.cct),
	}
	if req.crt.d == 0 && !req.crt.unknown {
		out[0].Value = 0
	}
	if c.https {
		out = append(out, p.derive(timerTLS, c.tls(req), c.whyTLS(), c.hs))
	}
	reads := []*hc5Value{client.rt, context.rt, c.factoryRead, c.st, c.so}
	out = append(out, p.derive(timerRead, fresh, c.whyRead(req, fresh), reads...))
	if p.neverReused() != nil {
		return append(append(out, p.keep(client, context)), p.background...), nil
	}
	readings := c.readings(req, sent)
	out = append(out, p.reused(readings, fresh, reads), p.keep(client, context))
	return append(out, p.background...), c.sticky(fresh, readings)
}

// reused is the read on a pooled connection, with all that it can be.
func (p *hc5Pooled) reused(readings []hc5Reading, fresh *hc5Value, written []*hc5Value) chain.Derivation {
	base := readings[0]
	d := p.derive(timerReused, base.hc5Value, p.config.whyReused(p.request), written...)
	for _, x := range readings[1:] {
		d.Else = append(d.Else, chain.Else{Settled: x.settled(), When: x.when()})
	}
	if len(d.Else) == 0 && base.same(fresh) {
		d.Dropped = nil // the same as on a fresh one
	}
	d.Dropped = slices.DeleteFunc(d.Dropped, func(x chain.Dropped) bool {
		return slices.ContainsFunc(readings, func(r hc5Reading) bool { return r.origin.Setting == x.Origin.Setting })
	})
	return d
}

// keep is how long an idle connection may be used again.
func (p *hc5Pooled) keep(client, context hc5Request) chain.Derivation {
	ka, own, told := p.request.ka, p.idleTimeout, p.announced()
	if ttl := p.neverReused(); ttl != nil {
		d := p.derive(timerKeep, ttl, "with a timeToLive of 0 no connection is used again", client.ka, context.ka, own)
		d.Value = 0
		return d
	}
	why, written := p.config.whyKeep(), []*hc5Value{client.ka, context.ka, own}
	if told != nil {
		ka, why = told, "the server announces it, which beats connectionKeepAlive"
		if told.d == 0 {
			why += "; a 0 is no limit to the client"
		}
	}
	if own != nil && !own.unknown && !ka.unknown && (ka.d <= 0 || own.d < ka.d) {
		return p.derive(timerKeep, own, "since 5.6 the connection's own idleTimeout counts, too, and is shorter", client.ka, context.ka)
	}
	return p.derive(timerKeep, ka, why, written...)
}

func (p *hc5Pooled) derive(timer string, winner *hc5Value, why string, written ...*hc5Value) chain.Derivation {
	d := chain.Derivation{Timer: timer, Settled: winner.settled(), Why: why}
	seen := map[string]bool{winner.origin.Setting: winner.origin.Source != chain.Default}
	for _, v := range written {
		if v == nil || seen[v.origin.Setting] {
			continue
		}
		seen[v.origin.Setting] = true
		d.Dropped = append(d.Dropped, chain.Dropped{Origin: v.origin, Why: p.whyDropped(v)})
	}
	d.Dropped = append(d.Dropped, p.lost[timer]...)
	return d
}

// settled is a value of a timer for which 0 is no limit.
func (v *hc5Value) settled() chain.Settled {
	s := chain.Settled{Value: v.d, Unknown: v.unknown, Winner: v.origin}
	if v.d <= 0 || v.unknown {
		s.Value = chain.Never
	}
	return s
}
