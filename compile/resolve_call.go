package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// layerCall is the call of a layer that is one product to the next.
func (t *tree) layerCall(h here, e *effective, from, to *chain.Node) *chain.Call {
	c := &chain.Call{To: to, Product: from.Product, Pos: h.layer.Pos, Setting: settingPath([]string{h.layer.Name})}
	c.ClientAt = chain.Origin{Layer: h.layer.Name, Setting: c.Setting, Pos: c.Pos}
	c.Layers = t.wraps(h, e, h.wrap(), h.layer.Type.Key)
	t.transport(c, e)
	if checks := e.checks("health check", func(string) bool { return true }); len(checks) > 0 {
		c.Check = &checks[0]
	}
	if from.Role == chain.RoleUnknown {
		c.Addresses = 1
		for _, m := range []chain.Moment{chain.AtConnect, chain.AtSecured, chain.AtRequestSent, chain.AtHeaderEnd, chain.AtBodyEnd} {
			c.Unbounded = append(c.Unbounded, chain.Unbounded{Phase: m, Reason: unknownReason(h.layer)})
		}
	}
	return c
}

// transport fills a call with what the settings of the product that makes it
// say: limits, pool, retries, addresses. It returns what is left to settle.
func (t *tree) transport(c *chain.Call, e *effective) *hc5Pooled {
	t.callee(c, e)
	out := clientOutput{
		Limits: e.timersOf(t.route.Response.Mode), Pool: e.pool(), Retry: e.retry(), Resend: e.resend(), Unbounded: slices.Clone(e.typ.Phases),
	}
	if settleCompeting := resolvers[e.typ.Resolver]; settleCompeting != nil {
		out = settleCompeting(clientInput{
			effective: e, versions: t.versionsOf(e.layer), HTTPS: c.TLS, Tunnel: c.Via != "", Addresses: c.Addresses, Announced: c.To.Announces, Defaults: out,
		})
	}
	if out.Settings != nil {
		e.settings = out.Settings
	}
	t.redirects(c, e)
	out.Unbounded = append(out.Unbounded, e.undocumented(out.Limits)...)
	c.OneByOne, c.DialsOn, c.Skips = e.typ.OneByOne, e.typ.DialsOn, e.typ.NoPhase
	if t.route.Response.Mode == chain.WebSocket {
		e.upgrade(out.Limits)
		if e.noUpgrade != nil {
			c.NoUpgrade = e.noUpgrade(t.location())
		}
	}
	out.Limits = tunnelled(c, t.kernel(c, e, out.Limits))
	c.Next, c.NextBeside = e.nextDial(out), out.NextBeside
	if s, on := e.flagged("holdsback"); on {
		c.HoldsBack, c.HoldsBackAt = true, s.origin
	}
	body, collects := e.flagged("collects")
	if c.Collects = collects; body != nil && !collects && out.Retry != nil && t.route.HasBody() {
		once := *out.Retry
		once.OnMethods = []string{}
		out.Retry = &once
		if e.typ.ResendListed { // the same rule holds for both
			out.Resend = nil
		}
	}
	c.Pool, c.Unbounded, c.Derivations = t.manyRequests(out.Pool, e, c.To.Layer), out.Unbounded, append(slices.Clip(e.derived), out.Derived...)
	c.Resend = hidden(t.keyed(out.Resend, e), e)
	c.Eject = e.ejection(c.Addresses)
	c.Layers = append(c.Layers, out.Layers...)
	c.Layers = append(c.Layers, chain.ClientLayer{Limits: t.divide(c, out.Limits), Retry: out.Retry})
	t.guessed(c, e, out.Limits)
	e.changesOf()
	for i := range c.Idle {
		c.Idle[i].If = e.keptIf
	}
	c.KeepsUnknown = e.keepsUnknown(c)
	own := c.Idle
	announced(c, e.typ.Honours && !out.Announced || out.Shorter, max(e.typ.Less, out.ShorterBy), out.Shorter)
	e.announcedSince(&out, c, own)
	if reuses := slices.ContainsFunc(e.settings, idleOfCalls); reuses && len(c.Idle) == 0 {
		c.Resend = nil
	}
	for _, n := range out.Notices {
		n.Layer = e.layer
		t.notice(n)
	}
	for _, n := range out.NotChecked {
		t.gap(e.layer, settingPath(e.path), n)
	}
	return out.Pooled
}

// tunnelled are the limits of a call with that of the answer to CONNECT only where
// one is asked for; the handshake is then with the callee, behind the answer.
func tunnelled(c *chain.Call, limits []chain.Limit) []chain.Limit {
	if c.Via == "" {
		return slices.DeleteFunc(limits, func(l chain.Limit) bool { return l.Kind == chain.Tunnel })
	}
	for i := range limits {
		if l := &limits[i]; l.Kind == chain.TLSHandshake && l.Start == chain.AtConnect {
			l.Start = chain.AtTunnelled
		}
	}
	return limits
}

// timersOf are the timers that a route has: a WebSocket is opened by another call of the
// program's than its requests are made with.
func (e *effective) timersOf(m chain.Mode) []chain.Limit {
	not := "websocket=only"
	if m == chain.WebSocket {
		not = "websocket=never"
	}
	return slices.DeleteFunc(slices.Clone(e.timers), func(l chain.Limit) bool {
		return slices.ContainsFunc(e.settings, func(s *setting) bool {
			return s.origin.Setting == l.Origin.Setting && slices.Contains(s.field.Flags, not)
		})
	})
}

// upgrade gives the silence between two reads the limit that holds once a connection
// is upgraded, where the product has one and it is written. What starts with the whole
// request ends with the answer to the upgrade: of what follows there is no whole.
func (e *effective) upgrade(limits []chain.Limit) {
	for i := range limits {
		if limits[i].Complete {
			limits[i].End = chain.AtHeaderEnd
		}
	}
	for _, s := range e.settings {
		if !slices.Contains(s.field.Flags, "upgraded") || s.state == unset {
			continue
		}
		for i := range limits {
			if l := &limits[i]; l.Kind == chain.ResponseReadGap && l.Side == chain.Calling {
				l.Bound, l.Why, _ = s.bound()
				l.Zero, l.Most, l.Origin = l.Why == zeroIsNone, s.most(), s.origin
			}
		}
	}
}

// flagged reports whether a setting has the value that a flag of the catalogue
// names; the setting is nil where the product has no such one.
func (e *effective) flagged(flag string) (s *setting, on bool) {
	for _, s := range e.settings {
		for _, f := range s.field.Flags {
			if value, ok := strings.CutPrefix(f, flag+"="); ok && s.state == known {
				return s, value == s.text
			}
		}
	}
	return nil, false
}

// keyed is what a product repeats by itself where the route's requests carry a key that
// makes a repeat harmless to the product: every method then.
func (t *tree) keyed(r *chain.Retry, e *effective) *chain.Retry {
	key := t.route.IdempotencyKey
	if r == nil || !slices.ContainsFunc(e.typ.ResendKeys, func(known string) bool { return strings.EqualFold(known, key) }) {
		return r
	}
	out := *r
	out.OnMethods = nil
	return &out
}

// hidden is what a product repeats by itself, with the product as its origin.
func hidden(r *chain.Retry, e *effective) *chain.Retry {
	if r == nil || r.Origin.Source != "" {
		return r
	}
	out := *r
	out.Hidden = true
	product := chain.Origin{Source: chain.Fixed, Layer: e.layer, Setting: settingPath(e.path), ID: e.typ.Key, Name: e.typ.Key, Product: e.product(), Pos: e.pos}
	out.Origin = product
	if out.Attempts.Origin.Setting == "" {
		out.Attempts.Origin = product
	}
	return &out
}

func idleOfCalls(s *setting) bool { return slices.ContainsFunc(s.field.Limits, idleSpec) }

func idleSpec(l LimitSpec) bool { return l.Kind == chain.IdleKeepalive && l.Side == chain.Calling }

// divide keeps the timers of one exchange and puts the others where they
// belong: idle connections smallest first, the rest to the upkeep.
func (t *tree) divide(c *chain.Call, limits []chain.Limit) (exchange []chain.Limit) {
	exchange = slices.Grow(exchange, len(limits))
	for _, l := range limits {
		if l.Side != chain.Calling {
			continue
		}
		t.inForce[l.Origin.Setting] = true
		switch {
		case l.Kind == chain.IdleKeepalive:
			c.Idle = append(c.Idle, l)
		case slices.Contains(exchangeKinds, l.Kind):
			exchange = append(exchange, l)
		default:
			c.Upkeep = append(c.Upkeep, l)
		}
		if l.Why == unknownBound && slices.Contains(exchangeKinds, l.Kind) {
			c.Unbounded = append(c.Unbounded, chain.Unbounded{Phase: l.End, Reason: l.Origin.Name + " is " + l.Why})
		}
	}
	slices.SortStableFunc(c.Idle, func(a, b chain.Limit) int { return cmp.Compare(a.Bound, b.Bound) })
	return exchange
}

// callee is what the caller meets: TLS, and how many addresses there are.
func (t *tree) callee(c *chain.Call, e *effective) {
	l := t.layer(c.To.Layer)
	facts := t.at(l).facts()
	if v := facts.value("endpoint", "scheme"); t.given(v, l.Name) {
		c.TLS = v.text() == "https"
	}
	c.RTT = t.duration(facts.value("endpoint", "rtt"), l.Name)
	addresses := facts.value("endpoint", "addresses")
	_, listed := e.inUse()
	switch {
	case len(listed) > 0:
		c.Addresses = len(listed)
	case t.given(addresses, l.Name):
		c.Addresses = max(addresses.number(), 1)
	default:
		c.Addresses = 1
	}
}

// redirects is how often the callee sends its caller on, as far as that follows.
func (t *tree) redirects(c *chain.Call, e *effective) {
	l := t.layer(c.To.Layer)
	if v := t.at(l).facts().value("endpoint", "redirects"); e.typ.Follows > 0 && t.given(v, l.Name) {
		c.Redirects = t.followed(c, e, v)
	}
}

// followed is how many of the callee's redirects a client follows. One that gives
// up before the last never has an answer.
func (t *tree) followed(c *chain.Call, e *effective, declared *Value) int {
	most := e.typ.Follows
	for _, s := range e.settings {
		if slices.Contains(s.field.Flags, "followed") && s.state == known && (s.written() || most == e.typ.Follows) {
			most = s.number()
		}
	}
	n := declared.number()
	if s, on := e.flagged("follows"); s != nil && !on {
		return 0 // the first redirect is its answer
	}
	if n > most {
		t.notice(chain.Notice{
			Kind: chain.NoticeRejected, Layer: c.To.Layer, Origin: t.own(declared, c.To.Layer),
			Message: fmt.Sprintf("%s sends a caller on %d times, and %s's %s follows %d at most: no call to it ever has an answer", c.To.Layer, n, e.layer, e.typ.Key, most),
		})
	}
	return min(n, most)
}

// guessed says that one address was counted where the number would matter: a
// limit that starts anew at each address, and no declaration.
func (t *tree) guessed(c *chain.Call, e *effective, limits []chain.Limit) {
	l := t.layer(c.To.Layer)
	_, listed := e.inUse()
	declared := t.given(t.at(l).facts().value("endpoint", "addresses"), l.Name)
	perAddress := slices.ContainsFunc(limits, func(l chain.Limit) bool { return l.Per == chain.PerAddress })
	if perAddress && !c.OneByOne && len(listed) == 0 && !declared && c.To.Role != chain.RoleLeaf {
		t.notChecked(l.Name, "", fmt.Sprintf("addresses of %s not declared: one is counted", l.Name))
	}
}
