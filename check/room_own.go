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
	bare, by, sev := ownWorst(r, n), n, Error
	switch {
	case n.Role == chain.RolePassing && bare.Total == chain.Never: // what it passes on may have an end of its own
		if by, bare = slowestCallee(r, n); by == nil {
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
		worst, sev := bare, sev
		if by == n {
			worst = beforeHandlers(r, n)
			if bare.Total < l.Bound {
				sev = Warning // only its handler's own limit lets it take so long
			}
		}
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
		switch {
		case worst.Total != chain.Never:
			f.offer(set(l.Origin, above(l.Origin, worst.Total)))
		case l.Kind == chain.WriteTotal:
			p.lateForEver(&f, r, n, l)
		default:
			f.Message = fmt.Sprintf("%s %s at %s, and nothing ends its own calls before", n.Layer, fires(l), byRoute(l.Bound))
		}
		f.Message += provided(l)
		f.Trace = p.closing(r, n, by, l)
		p.Report(f)
	}
}

// lateForEver is of a layer whose answer has no latest time: a write limit does not end
// the wait, it only loses what comes after it.
func (p *Pass) lateForEver(f *Finding, r *chain.Route, n *chain.Node, l chain.Limit) {
	f.Message = fmt.Sprintf("%s's answer is lost whenever it comes after %s, and nothing ends its own calls before: %s closes the connection only once there is an answer", n.Layer, byRoute(l.Bound), setting(l.Origin, byRoute(l.Bound)))
	for _, c := range n.Calls() {
		open, ok := openLimit(r, n, c)
		if c.Detached || !ok || open.Zero || chain.WorstCall(r, n, c, 0).Total != chain.Never {
			continue
		}
		f.offer(set(open.Origin, below(open.Origin, l.Bound-p.room(n, l.Bound)-restOf(r, n, c, open))))
		return
	}
}

// closing is the trace that shows a limit of a layer's own answering side at work; nil
// if none does. Of a callee, by, that answers the fault is further in.
func (p *Pass) closing(r *chain.Route, n, by *chain.Node, l chain.Limit) *chain.Trace {
	var out *chain.Trace
	for _, t := range p.traces(r) {
		if by != n && t.Fault.Call.To == by || out != nil && !better(&t, out) {
			continue
		}
		if slices.ContainsFunc(t.Events, func(e chain.Event) bool {
			return e.Node == n && e.Limit != nil && e.Limit.Origin.Setting == l.Origin.Setting
		}) {
			out = &t
		}
	}
	return out
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
			who, worst = c.Answering(), w
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

// beforeHandlers is ownWorst with the limits that answer in the handler's place.
func beforeHandlers(r *chain.Route, n *chain.Node) chain.Sum {
	serve := n.Serve
	defer func() { n.Serve = serve }()
	n.Serve = slices.DeleteFunc(slices.Clone(serve), func(l chain.Limit) bool { return l.Kind != chain.HandlerDeadline })
	return chain.Worst(r, n)
}

// ownWorst is how late a layer's answer can be where its own answering side ends nothing.
func ownWorst(r *chain.Route, n *chain.Node) chain.Sum {
	serve := n.Serve
	defer func() { n.Serve = serve }()
	n.Serve = nil
	return chain.Worst(r, n)
}
