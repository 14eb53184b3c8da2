package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// resolveHTTPClient5 settles Apache HttpClient 5 with Spring: which of the
// values that compete for one timer is in force, for a fresh connection.
func resolveHTTPClient5(in clientInput) clientOutput {
	out := in.Defaults
	out.Notices, out.NotChecked = nil, nil
	r := &hc5Reader{clientInput: in, out: &out, boot: in.versions.boot.text()}
	c := r.config()
	req := c.request()
	connect, tls, read := c.connect(req), c.tls(req), c.readFresh(req)

	handshake := tls.limit(chain.TLSHandshake)
	handshake.Reset = chain.ResetRead
	if !in.Tunnel {
		handshake.Per = chain.PerAddress
	}
	dial := connect.limit(chain.Connect)
	dial.Per = chain.PerAddress
	wait := req.crt.limit(chain.PoolWait)
	if wait.Zero { // not infinite: it fails at once when no connection is free
		wait.Bound, wait.Why, wait.Zero = 0, "", false
	}
	limits := []chain.Limit{*wait, *dial, *handshake, *read.limit(chain.ResponseFirstByte), *read.limit(chain.ResponseReadGap)}
	limits = append(limits, r.idle(req)...)
	for _, l := range in.Defaults.Limits {
		if slices.Contains([]chain.Kind{chain.MaxLifetime, chain.StaleCheck, chain.Evict}, l.Kind) && (l.Origin.Source == chain.Written || l.Bound != chain.Never) {
			limits = append(limits, l)
		}
	}
	out.Limits = limits
	out.Pool = r.pool()
	out.Retry, out.Resend = r.retries(c, req)
	r.shadow(c, req, []*hc5Value{req.crt, connect, tls, read, c.readReused(req, nil, nil), req.ka})
	r.sticky(c, req, read)
	out.Derived = append(c.derivations(req), r.background(c)...)
	return out
}

// limit is a timer of the value; a zero is none.
func (v *hc5Value) limit(kind chain.Kind) *chain.Limit {
	p, _ := chain.PresetOf(kind)
	l := &chain.Limit{
		Kind: kind, Side: chain.Calling, Start: p.Start, End: p.End, Reset: p.Reset,
		Bound: v.d, Fires: chain.FiresError, Origin: v.origin,
	}
	switch {
	case v.unknown:
		l.Bound, l.Why = chain.Never, unknownBound
	case v.d == 0:
		l.Bound, l.Why, l.Zero = chain.Never, zeroIsNone, true
	}
	return l
}

// idle is how long a connection is kept: the config's keep-alive where the
// server announces none, and since 5.6 the connection's own idle timeout. A
// connection whose life is zero is never used again.
func (r *hc5Reader) idle(req hc5Request) []chain.Limit {
	if ttl := r.written("manager.connectionConfig.timeToLive"); ttl != nil && ttl.d == 0 && !ttl.unknown {
		return nil
	}
	keep := req.ka.limit(chain.IdleKeepalive)
	if req.ka.d < 0 {
		keep.Bound, keep.Why = chain.Never, "a negative value means no limit"
	}
	out := []chain.Limit{*keep}
	own := r.written("manager.connectionConfig.idleTimeout")
	if own != nil && !(&hc5Config{version: r.version}).has("5.6") {
		own = r.tooNew(own, "5.6")
	}
	if own != nil && own.d > 0 {
		out = append(out, *own.limit(chain.IdleKeepalive))
	}
	for i := range out {
		out[i].Side, out[i].Fires = chain.Calling, chain.FiresClose
	}
	return out
}

// pool is the size towards the peer, and in all unless the pool is lax.
func (r *hc5Reader) pool() *chain.Pool {
	if r.Defaults.Pool == nil {
		return nil
	}
	p := *r.Defaults.Pool
	if v := r.blocks.child("manager").child("maxPerRoute").value(r.peer); v.known() {
		p.PerHost = chain.Size{N: v.number(), Origin: r.complete(v)}
	}
	if s := r.find("manager.poolConcurrencyPolicy"); s != nil && s.text == "LAX" {
		if total := r.find("manager.maxConnTotal"); total.written() {
			r.notice(chain.NoticeIgnored, total.origin, "maxConnTotal has no effect with a LAX pool")
		}
		p.Total = chain.Size{}
	}
	return &p
}

// shadow notes written values that lose, with a different time, everywhere.
func (r *hc5Reader) shadow(c *hc5Config, req hc5Request, winners []*hc5Value) {
	contest := func(winner *hc5Value, written ...*hc5Value) {
		for _, v := range written {
			if v == nil || v.unknown || winner.unknown || v.d == winner.d || slices.ContainsFunc(winners, func(w *hc5Value) bool { return w.origin.Setting == v.origin.Setting }) {
				continue
			}
			why := ""
			if v == c.factoryConnect || v == c.factoryRead || v == c.factoryRequest {
				why = r.dropped(c, v)
			}
			r.out.Notices = append(r.out.Notices, shadowed(v.origin, winner.origin, why))
		}
	}
	client, context := orEmpty(c.client), orEmpty(c.context)
	contest(req.crt, client.crt, context.crt, c.factoryRequest)
	contest(winners[1], client.rct, context.rct, c.factoryConnect, c.cct)
	contest(winners[3], client.rt, context.rt, c.factoryRead, c.st, c.so)
	contest(req.ka, client.ka, context.ka)
	if c.https {
		contest(winners[2], c.hs)
	}
}

func orEmpty(r *hc5Request) hc5Request {
	if r == nil {
		return hc5Request{}
	}
	return *r
}

// dropped is why a value of the factory has no effect in this pair of releases.
func (r *hc5Reader) dropped(c *hc5Config, v *hc5Value) string {
	switch {
	case c.context == nil && !c.merges():
		return fmt.Sprintf("Spring %s with HttpClient %s drops the factory's timeouts", c.spring, c.version)
	case v == c.factoryRead && !atLeast(c.spring, "6.2"):
		return "Spring before 6.2 does not pass it on"
	}
	return ""
}

func shadowed(loser, winner chain.Origin, why string) chain.Notice {
	if why != "" {
		why = ": " + why
	}
	text := winner.Text
	if winner.Source == chain.Default {
		text += " by default"
	}
	return chain.Notice{
		Kind: chain.NoticeShadowed, Origin: loser, Winner: winner,
		Message: fmt.Sprintf("%s %s is never in force; %s %s wins%s", entrance(loser), loser.Text, entrance(winner), text, why),
	}
}

// entrance is a setting from its entrance on: "client.requestConfig.responseTimeout".
func entrance(o chain.Origin) string {
	if _, after, ok := strings.Cut(o.Setting, ".httpclient5."); ok {
		return after
	}
	return o.Name
}
