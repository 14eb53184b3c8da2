package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// aged finds a callee that closes a connection of a certain age before what began
// on it just then can be over. takes is how long that is, and what says it.
func (p *Pass) aged(h hop, takes chain.Value, says string) {
	to := h.call.To
	grace, ok := to.ServeLimit(chain.LifetimeGrace)
	age, has := to.ServeLimit(chain.MaxLifetime)
	if !ok || !has || age.Bound == chain.Never || !takes.Declared() || takes.D < grace.Bound {
		return
	}
	end := p.comesTo(h, chain.ResetFault)
	f := Finding{
		Outcome: end,
		Routes:  []string{h.route.Name}, Layer: to.Layer, Setting: grace.Origin.Setting, Owner: to.Owner,
		Severity: soften(Error, grace.Origin, age.Origin, takes.Origin), Pos: grace.Origin.Pos, Label: "closed " + chain.Shown(grace.Bound) + " after its age" + known(grace.Origin),
		Message: fmt.Sprintf("%s closes a connection %s after its %s of %s is reached, and %s: one that began just before is cut",
			to.Layer, chain.Shown(grace.Bound), age.Origin.Name, chain.Shown(age.Bound), says) + inWords(", and ends so:", end),
		Related: []Related{{Pos: age.Origin.Pos, Message: "the age" + known(age.Origin)}, {Pos: takes.Origin.Pos, Message: chain.Shown(takes.D)}},
	}
	f.offer(set(grace.Origin, above(grace.Origin, chain.Add(takes.D, time.Second))))
	p.Report(f)
}
