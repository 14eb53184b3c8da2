package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var noLimit = &Rule{
	ID:       "no-limit",
	Title:    "a fault never ends for the outermost caller",
	Why:      "A person looks at a spinner until they close the page; a program keeps a thread or a connection until it is restarted. Every wait needs one limit that ends it, and the product has a setting for it that is off; where it has none, as for the body of a response, the program has to end the wait itself. Or there is a limit and it only tells the program, which does nothing: nothing ends then either. Or each attempt is ended, and the next one begins without an end. A call in the background that nothing ends keeps nobody waiting, but each request leaves one behind. Of a stream or a WebSocket that declares no total, a limit between two bytes is asked for; a total would end what is well, too.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkNoLimit,
}

// dripping faults make progress for ever: only a total ends them, which is
// what gap-only is about.
func dripping(k chain.FaultKind) bool { return k == chain.Trickle || k == chain.HeaderDrip }

// An endless cause is a limit that is missing on a route, or that ends nothing,
// with the plays that it would end.
type endless struct {
	limit  chain.Limit   // that would end them if it were on
	tells  []chain.Limit // of the same call, which somebody wrote, and which end nothing
	hop    hop
	traces []chain.Trace
}

func checkNoLimit(p *Pass) {
	for _, r := range p.Stack.Routes {
		for _, c := range p.endlessCauses(r) {
			t := c.traces[0]
			for _, x := range c.traces {
				if better(&x, &t) {
					t = x
				}
			}
			l, n := c.limit, c.hop.from
			label, why := l.Origin.Name+" is "+l.Why, dotted(l.Origin)+" is "+l.Why
			if len(c.tells) > 0 {
				l = c.tells[0]
				label, why = "only tells the program", fmt.Sprintf("%s %s only tells the program, and ends nothing", l.Origin.Name, chain.Shown(l.Bound))
			}
			f := Finding{
				Routes: []string{r.Name}, Layer: n.Layer, Callee: c.hop.call.To.Layer, Setting: l.Origin.Setting, Owner: n.Owner,
				Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: label + known(l.Origin),
				Message: fmt.Sprintf("%s waits for ever when %s %s%s: %s", r.Root.Layer, t.Fault.Where(), t.Fault.Kind.Does(), others(len(c.traces)-1), why),
				Trace:   &t,
			}
			for _, x := range c.hop.call.Limits() {
				if x.Fires == chain.FiresCancel && x.Bound != chain.Never {
					f.Message += fmt.Sprintf("; %s %s asks %s to cancel, and ends no read", x.Origin.Name, chain.Shown(x.Bound), c.hop.call.To.Layer)
				}
			}
			if endsFlow(r, c.hop.call, c.limit) {
				f.Severity = Info // no setting ends it that would not end all that is well, too
				f.Message += fmt.Sprintf(", and it would end the %s with it; let the program end one that is silent for too long", r.Response.Mode.Text())
			}
			if len(c.tells) > 0 {
				f.offer(set(c.limit.Origin, l.Bound)).After = "which ends the call"
			} else {
				p.offerEnding(&f, r, n, l)
			}
			p.Report(f)
		}
		p.endlessBody(r)
		p.endlessRepeats(r)
		p.endlessBackground(r)
	}
}

// noBodyLimit is why nothing of the caller's product ends a body that stalls.
func noBodyLimit(t chain.Trace) (reason string, ok bool) {
	if t.Fault.Kind != chain.Stall || t.Fault.From.Role == chain.RoleUnknown {
		return "", false
	}
	for _, u := range t.Fault.Call.Unbounded {
		if u.Phase == chain.AtBodyEnd {
			return u.Reason, true
		}
	}
	return "", false
}

// endlessBody finds a body that never ends where no setting on the way would end it.
func (p *Pass) endlessBody(r *chain.Route) {
	for _, h := range p.hops(r) {
		t, played := p.traceOf(r, chain.Stall, h.call)
		if !played || t.Outcome.At != chain.Never || t.Outcome.Error == chain.NotKnown {
			continue
		}
		why, ok := noBodyLimit(t)
		if _, _, settable := ending(r, t.Fault); !ok || settable {
			continue
		}
		f := Finding{
			Routes: []string{r.Name}, Layer: h.from.Layer, Callee: h.call.To.Layer, Setting: h.call.ClientAt.Setting, Owner: h.from.Owner,
			Severity: Error, Pos: h.call.ClientAt.Pos, Label: "has no limit for a body",
			Message: fmt.Sprintf("%s waits for ever when %s %s: %s", r.Root.Layer, h.call.To.Layer, t.Fault.Kind.Does(), why),
			Trace:   &t,
		}
		if r.Response.Flows() && r.Carries(h.call) {
			f.Severity = Info // what is well has no end either
		}
		p.Report(f)
	}
}

// endlessBackground finds calls that nobody waits for and that nothing ends: each
// keeps what it holds until the program is restarted.
func (p *Pass) endlessBackground(r *chain.Route) {
	for _, h := range p.hops(r) {
		worst := chain.WorstCall(r, h.from, h.call, 0)
		if !h.call.Detached || worst.Total != chain.Never || len(worst.NotChecked) > 0 {
			continue
		}
		l, ok := openLimit(r, h.from, h.call)
		if !ok {
			continue
		}
		f := Finding{
			Routes: []string{r.Name}, Layer: h.from.Layer, Callee: h.call.To.Layer, Setting: l.Origin.Setting, Owner: h.from.Owner,
			Severity: soften(Warning, l.Origin), Pos: l.Origin.Pos, Label: l.Origin.Name + " is " + l.Why + known(l.Origin),
			Message: fmt.Sprintf("nothing ends %s's call to %s, which it makes in the background: %s is %s, and while %s is silent each request leaves one behind",
				h.from.Layer, h.call.To.Layer, dotted(l.Origin), l.Why, h.call.To.Layer),
			Trace: h.trace(func(t chain.Trace) bool { return t.Fault.Call == h.call }),
		}
		p.offerEnding(&f, r, h.from, l)
		p.Report(f)
	}
}

// endlessCauses are the causes of what never ends on a route. A limit that only
// tells is named before one of its call that is off and would end the same.
func (p *Pass) endlessCauses(r *chain.Route) (out []*endless) {
	for _, t := range p.traces(r) {
		if t.Outcome.At != chain.Never || dripping(t.Fault.Kind) || t.Outcome.Error == chain.NotKnown {
			continue
		}
		l, h, ok := ending(r, t.Fault)
		if !ok || l.Zero {
			continue
		}
		i := slices.IndexFunc(out, func(c *endless) bool { return c.limit.Origin.Setting == l.Origin.Setting })
		if i < 0 {
			i, out = len(out), append(out, &endless{limit: l, tells: tellingLimits(h.call), hop: h})
		}
		out[i].traces = append(out[i].traces, t)
	}
	return out
}

func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and under 1 other fault"
	}
	return fmt.Sprintf(" and under %d other faults", n)
}

// dotted is the setting's path behind the layer and its type: "fetch.signal.timeout".
func dotted(o chain.Origin) string {
	parts := strings.SplitN(o.Setting, ".", 3)
	return parts[len(parts)-1]
}

// ending is a limit that is off and would end the fault if it were on, or that
// only tells and would if it did more: the outermost caller's own, else the one
// nearest to the fault.
func ending(r *chain.Route, f chain.Fault) (chain.Limit, hop, bool) {
	var hs []hop
	for _, h := range hops(r) {
		hs = append([]hop{h}, hs...)
	}
	if r.Root.Role == chain.RoleCaller {
		hs = append([]hop{hs[len(hs)-1]}, hs[:len(hs)-1]...)
	}
	for _, unwanted := range []bool{false, true} { // of a flow without an end, a limit of the whole comes last
		for _, h := range hs {
			for _, l := range append(openLimits(h.call), tellingLimits(h.call)...) {
				if endsFlow(r, h.call, l) == unwanted && endedIf(r, f, l) {
					return l, h, true
				}
			}
		}
	}
	return chain.Limit{}, hop{}, false
}

// endedIf reports whether a fault ends for the outermost caller if a limit is on
// and ends its call.
func endedIf(r *chain.Route, f chain.Fault, l chain.Limit) bool {
	defer setEnding(r, l, time.Second)()
	return chain.Play(r, f).Outcome.At != chain.Never
}

// offerEnding sets the limit above what the layer inside can take at worst, and above
// what a stream on the call needs; or to a second where that is little, which may be
// hardly what a person means in a unit.
func (p *Pass) offerEnding(f *Finding, r *chain.Route, n *chain.Node, l chain.Limit) {
	to, after := p.endingAt(r, n, l)
	if after == "" {
		return
	}
	after += p.alsoBounds(r, l)
	for _, d := range slices.Compact([]time.Duration{to, max(to, time.Second)}) {
		f.offer(set(l.Origin, d)).After = after
	}
}

// alsoBounds names the other routes that a limit of one route holds on, where it is
// sized for what only this one is; "" where there are none.
func (p *Pass) alsoBounds(r *chain.Route, l chain.Limit) string {
	var names []string
	for _, h := range p.hops(r) {
		if overFlow(r, h.call, l) == 0 || !slices.ContainsFunc(h.call.Limits(), func(x chain.Limit) bool { return x.Origin.Setting == l.Origin.Setting }) {
			continue
		}
		p.eachHop(func(o hop) {
			same := slices.ContainsFunc(o.call.Limits(), func(x chain.Limit) bool { return x.Origin.Setting == l.Origin.Setting && x.Kind == l.Kind })
			if same && !o.route.Response.Flows() && !slices.Contains(names, o.route.Name) {
				names = append(names, o.route.Name)
			}
		})
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > 3:
		names = []string{plural(len(names), "other route")}
	}
	return fmt.Sprintf("; it holds on %s as well, where a shorter one would do", strings.Join(names, ", "))
}

// endingAt is the least value of a limit that ends what has no end, and what it is
// over; that is empty where nothing follows of what is declared.
func (p *Pass) endingAt(r *chain.Route, n *chain.Node, l chain.Limit) (to time.Duration, after string) {
	for _, h := range p.hops(r) {
		if h.from != n {
			continue
		}
		need := overFlow(r, h.call, l)
		worst := chain.Worst(r, h.to).Total
		switch {
		case need > 0 && (h.to.Role == chain.RoleLeaf || worst == chain.Never || p.over(h.to, l.Origin, worst) < need):
			return need, "over what the " + r.Response.Mode.Text() + " needs"
		case h.to.Role == chain.RoleLeaf || worst == chain.Never || worst == 0: // of nothing declared nothing follows
			continue
		}
		return p.over(h.to, l.Origin, worst), fmt.Sprintf("over %s's worst case of %s", h.to.Layer, chain.Shown(worst))
	}
	return 0, ""
}
