package check

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

// checkOwnAnswer compares a layer's worst case with the limits of its own
// answering side: an answer that comes after them is lost, whoever waits.
func (p *Pass) checkOwnAnswer(r *chain.Route, n *chain.Node) {
	if !slices.ContainsFunc(n.Serve, losesAnswer) {
		return
	}
	worst, by, sev := ownWorst(r, n), n, Error
	switch {
	case n.Role == chain.RolePassing && worst.Total == chain.Never: // what it passes on may have an end of its own
		if by, worst = slowestCallee(r, n); by == nil {
			return
		}
		if _, promised := by.Promise(); promised {
			sev = Warning
		}
	case n.Role != chain.RoleBuffering && n.Role != chain.RolePassing:
		return // it has no answer of its own
	}
	for _, l := range n.Serve {
		if !losesAnswer(l) {
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
			Severity: soften(sev, l.Origin), Pos: l.Origin.Pos, Label: "ends first" + known(l.Origin),
			Message: fmt.Sprintf("%s %s at %s, before %s answer at %s", n.Layer, fires(l), byRoute(l.Bound), answerOf(n, by), byRoute(worst.Total)),
			Amount:  Amount{D: worst.Total, Of: "it comes at"},
			Related: worstPlaces(by, worst),
			Outcome: p.closedTo(r, n, l.Bound),
		}
		if l.Kind == chain.WriteTotal {
			f.Message = fmt.Sprintf("%s's answer at %s is lost: %s is over by then, and the connection is closed instead", by.Layer, byRoute(worst.Total), whose(n, by)+setting(l.Origin, byRoute(l.Bound)))
		}
		if worst.Total == chain.Never {
			f.Message = fmt.Sprintf("%s %s at %s, and nothing ends its own calls before", n.Layer, fires(l), byRoute(l.Bound))
		} else {
			f.offer(set(l.Origin, above(l.Origin, worst.Total)))
		}
		f.Message += provided(l)
		for _, t := range p.traces(r) {
			if by != n && t.Fault.Call.To == by {
				continue // of a callee that answers the fault is further in
			}
			for _, e := range t.Events {
				if e.Node == n && e.Limit != nil && e.Limit.Origin.Setting == l.Origin.Setting && f.Trace == nil {
					f.Trace = &t
				}
			}
		}
		p.Report(f)
	}
}

// losesAnswer reports whether an answer that comes after a limit of its own layer's
// answering side is lost.
func losesAnswer(l chain.Limit) bool {
	return (l.Kind == chain.WriteTotal || l.Kind == chain.WorkerKill) && l.Bound != chain.Never && l.Ends()
}

// slowestCallee is the layer whose answer a passing layer may have to wait longest
// for, by its own limits; nil if none ends or none is described.
func slowestCallee(r *chain.Route, n *chain.Node) (who *chain.Node, worst chain.Sum) {
	if r.Response.Flows() {
		return nil, worst // stream-cut compares those
	}
	for _, c := range n.Calls() {
		if w := chain.Worst(r, c.To); !c.Detached && w.Total != chain.Never && w.Total > worst.Total {
			who, worst = c.To, w
		}
	}
	return who, worst
}

// whose names the layer of a limit where another one's answer is meant.
func whose(n, by *chain.Node) string {
	if n == by {
		return ""
	}
	return n.Layer + "'s "
}

// answerOf names the layer whose answer is meant.
func answerOf(n, by *chain.Node) string {
	if n == by {
		return "its own"
	}
	return by.Layer + "'s"
}

// ownWorst is how late a layer's answer can be where its own answering side ends nothing.
func ownWorst(r *chain.Route, n *chain.Node) chain.Sum {
	serve := n.Serve
	defer func() { n.Serve = serve }()
	n.Serve = nil
	return chain.Worst(r, n)
}
