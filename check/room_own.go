package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

// checkOwnAnswer compares a layer's worst case with the limits of its own
// answering side: an answer that comes after them is lost, whoever waits.
func (p *Pass) checkOwnAnswer(r *chain.Route, n *chain.Node) {
	worst := ownWorst(r, n)
	if n.Role != chain.RoleBuffering && (n.Role != chain.RolePassing || worst.Total == chain.Never) {
		return // it has no answer of its own, or passes on one that nothing else ends
	}
	for _, l := range n.Serve {
		if l.Kind != chain.WriteTotal && l.Kind != chain.WorkerKill || l.Bound == chain.Never || l.Fires == chain.FiresEvent {
			continue
		}
		worst := worst
		if up := r.UploadTo(n); up > 0 && l.Start < chain.AtRequestSent {
			if up >= l.Bound {
				continue // upload-cut has it
			}
			worst = r.AfterUpload(worst)
		}
		if worst.Total < l.Bound {
			continue
		}
		f := Finding{
			Routes: []string{r.Name}, Layer: n.Layer, Setting: l.Origin.Setting, Owner: n.Owner,
			Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: "ends first" + known(l.Origin),
			Message: fmt.Sprintf("%s %s at %s, before its own answer at %s", n.Layer, fires(l), chain.Format(l.Bound), chain.Format(worst.Total)),
			Related: worstPlaces(n, worst),
		}
		if l.Kind == chain.WriteTotal {
			f.Message = fmt.Sprintf("%s's answer at %s is lost: %s is over by then, and the connection is closed instead", n.Layer, chain.Format(worst.Total), setting(l.Origin, chain.Format(l.Bound)))
		}
		if worst.Total == chain.Never {
			f.Message = fmt.Sprintf("%s %s at %s, and nothing ends its own calls before", n.Layer, fires(l), chain.Format(l.Bound))
		} else {
			f.offer(set(l.Origin, above(l.Origin, worst.Total)))
		}
		for _, t := range p.traces(r) {
			for _, e := range t.Events {
				if e.Node == n && e.Limit != nil && e.Limit.Origin.Setting == l.Origin.Setting && f.Trace == nil {
					f.Trace = &t
				}
			}
		}
		p.Report(f)
	}
}

// ownWorst is how late a layer's answer can be where its own answering side ends nothing.
func ownWorst(r *chain.Route, n *chain.Node) chain.Sum {
	serve := n.Serve
	defer func() { n.Serve = serve }()
	n.Serve = nil
	return chain.Worst(r, n)
}
