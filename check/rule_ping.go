package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

var ping = &Rule{
	ID:       "ping",
	Title:    "nothing keeps a quiet connection alive under an idle limit on the way",
	Why:      "A balancer or firewall that only knows flows forgets a quiet one and tells nobody. The caller still holds the connection in its pool, writes a request on it, and waits for its read limit instead of failing at once. Either the caller stops reusing the connection before, or something sends a byte more often.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkPing,
}

func checkPing(p *Pass) {
	p.eachHop(func(h hop) {
		flow, ok := h.call.To.ServeLimit(chain.FlowIdle)
		if !ok || flow.Bound == chain.Never || len(h.call.Idle) == 0 {
			return
		}
		keeps := shortest(h.call.Idle)
		if keeps.Bound < flow.Bound || pinged(h.call, flow) {
			return
		}
		f := Finding{
			Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: keeps.Origin.Setting, Owner: h.from.Owner,
			Severity: soften(Error, keeps.Origin, flow.Origin), Pos: keeps.Origin.Pos, Label: "kept for " + chain.Format(keeps.Bound) + known(keeps.Origin),
			Message: fmt.Sprintf("%s forgets a connection that is quiet for %s, and %s reuses it for %s with nothing to keep it alive",
				h.call.To.Layer, chain.Format(flow.Bound), h.from.Layer, chain.Format(keeps.Bound)),
			Related: []Related{{flow.Origin.Pos, "forgets it after " + chain.Format(flow.Bound) + known(flow.Origin)}},
		}
		f.offer(set(keeps.Origin, below(keeps.Origin, flow.Bound)))
		p.Report(f)
	})
}

// pinged reports whether the caller sends something more often than the limit.
func pinged(c *chain.Call, flow chain.Limit) bool {
	for _, l := range append(c.Limits(), c.Upkeep...) {
		if l.Kind == chain.PingInterval && l.Bound < flow.Bound {
			return true
		}
	}
	return false
}
