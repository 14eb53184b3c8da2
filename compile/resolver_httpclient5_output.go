package compile

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// resolveHTTPClient5 settles Apache HttpClient 5 with Spring: which of the
// values that compete for one timer is in force, for a fresh connection.
func resolveHTTPClient5(in clientInput) clientOutput {
	out := in.Defaults
	out.Notices, out.NotChecked = nil, nil
	in.oddVersions(&out)
	r := newHC5Reader(in, &out)
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
	limits := []chain.Limit{*wait, *dial, *c.tunnelled(req).limit(chain.Tunnel), *handshake, *read.limit(chain.ResponseFirstByte), *read.limit(chain.ResponseReadGap)}
	limits = append(limits, r.idle(c, req)...)
	out.Announced = r.announced() != nil
	upkeep := in.Defaults.Limits
	for _, name := range r.unused {
		upkeep = apart(upkeep, in.find(name))
	}
	for _, l := range upkeep {
		if l.Kind == chain.StaleCheck && l.Origin.Source != chain.Written && !c.has("5.1") {
			continue // unset it is none there
		}
		if slices.Contains([]chain.Kind{chain.MaxLifetime, chain.StaleCheck, chain.Evict}, l.Kind) && (l.Origin.Source == chain.Written || l.Bound != chain.Never) {
			limits = append(limits, l)
		}
	}
	out.Limits = limits
	out.Pool = r.pool()
	out.Retry = r.retry(c, req)
	r.shadow(c, req, []*hc5Value{req.crt, connect, tls, read, c.readReused(req, nil, req), req.ka})
	r.undecided(c)
	out.Settings = r.switched(c)
	out.Pooled = &hc5Pooled{hc5Reader: r, config: c, request: req, background: r.background(c)}
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
// server announces none, since 5.6 the connection's own idle timeout, and the
// background thread's. A connection that is never used again is not kept.
func (r *hc5Reader) idle(c *hc5Config, req hc5Request) []chain.Limit {
	if r.neverReused() != nil {
		return nil
	}
	ka := first(r.announced(), req.ka)
	keep := ka.limit(chain.IdleKeepalive)
	if ka.d < 0 {
		keep.Bound, keep.Why = chain.Never, "a negative value means no limit"
	}
	out := []chain.Limit{*keep}
	if r.idleTimeout != nil {
		out = append(out, *r.idleTimeout.limit(chain.IdleKeepalive))
	}
	if l := r.evicted(c); l != nil {
		out = append(out, *l)
	}
	for i := range out {
		out[i].Side, out[i].Fires = chain.Calling, chain.FiresClose
	}
	return out
}

// announced is the keep-alive time that the server tells; nil if it tells none, or
// if that is not known.
func (r *hc5Reader) announced() *hc5Value {
	if a := r.Announced; a.Declared() && a.D != chain.Never {
		return &hc5Value{d: a.D, origin: a.Origin}
	}
	return nil
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
			if v == nil || v.unknown || slices.ContainsFunc(winners, v.wins) {
				continue
			}
			r.out.Notices = append(r.out.Notices, v.beatenBy(winner, c.whyNotByRelease(v)))
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

// wins reports whether the value is a winner: one that was written, not the
// default of the same setting.
func (v *hc5Value) wins(w *hc5Value) bool {
	return w.origin.Setting == v.origin.Setting && w.origin.Source != chain.Default
}

func orEmpty(r *hc5Request) hc5Request {
	if r == nil {
		return hc5Request{}
	}
	return *r
}

// entrance is a setting from its entrance on: "client.requestConfig.responseTimeout";
// a property has its own name.
func entrance(o chain.Origin) string {
	product, _, _ := strings.Cut(o.ID, ".")
	if _, after, ok := strings.Cut(o.Setting, ".app.clients."); !ok || product == "" || !strings.Contains(after, "."+product+".") {
		return o.Name
	}
	if _, after, ok := strings.Cut(o.Setting, "."+product+"."); ok && !strings.HasPrefix(after, "properties.") {
		return after
	}
	return o.Name
}
