package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var uploadCut = &Rule{
	ID:       "upload-cut",
	Title:    "a declared upload takes longer than a limit on its way",
	Why:      "Reading the request is time that the limits of the answer do not know. A total that starts with the call runs while the body is still on its way, and a deadline for the whole request ends an upload that is only slow. A limit between two reads does not: it starts again at each.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkUploadCut,
}

func checkUploadCut(p *Pass) {
	for _, r := range p.Stack.Routes {
		takes := r.Upload.Takes()
		if takes == 0 {
			continue
		}
		sev := Error
		for _, h := range p.hops(r) {
			p.uploading(h, takes, sev)
			switch to := h.call.To; {
			case to.Role == chain.RoleUnknown:
				sev = Warning // it may collect the body
			case to.Role != chain.RolePassing || collects(to):
				sev = Off // once read, the body goes on at the speed of the network inside
			}
			if sev == Off {
				break
			}
		}
	}
}

// collects reports whether a passing layer has the whole body before it calls on.
func collects(n *chain.Node) bool {
	for _, c := range n.Calls() {
		if c.Collects {
			return true
		}
	}
	return false
}

func (p *Pass) uploading(h hop, takes time.Duration, sev Severity) {
	for _, l := range h.call.Limits() {
		if (l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline && l.Start < chain.AtRequestSent) && !l.Complete && l.Ends() {
			p.tooShortFor(h, h.from, l, takes, sev)
		}
	}
	for _, l := range h.call.To.Serve {
		if l.EndsUpload() || l.Kind == chain.WriteTotal && l.Start < chain.AtRequestSent && l.Ends() {
			p.tooShortFor(h, h.call.To, l, takes, sev)
		}
		if pause := h.route.Upload.Silence; l.Kind == chain.RequestBodyRead && l.Reset != chain.ResetNone && pause.Declared() {
			p.tooShortPause(h, l, pause, sev)
		}
	}
}

// tooShortPause: the sender pauses for longer than a limit between two reads.
func (p *Pass) tooShortPause(h hop, l chain.Limit, pause chain.Value, sev Severity) {
	if pause.D < l.Bound {
		return
	}
	who := h.call.To
	f := Finding{
		Routes: []string{h.route.Name}, Layer: who.Layer, Setting: l.Origin.Setting, Owner: who.Owner,
		Severity: soften(sev, l.Origin, pause.Origin), Pos: l.Origin.Pos, Label: "over in a pause of the sender" + known(l.Origin),
		Message: fmt.Sprintf("%s %s when the sender of %s pauses for %s, and it may for %s", who.Layer, fires(l), nameOf(h.route), byRoute(l.Bound), byRoute(pause.D)),
		Amount:  Amount{D: pause.D, Of: "it may for"},
		Related: []Related{{Pos: pause.Origin.Pos, Message: "pauses for " + chain.Shown(pause.D)}},
		Outcome: p.ended(h, who, l),
	}
	f.offer(set(l.Origin, above(l.Origin, pause.D)))
	p.Report(f)
}

func (p *Pass) tooShortFor(h hop, who *chain.Node, l chain.Limit, takes time.Duration, sev Severity) {
	if takes < l.Bound {
		return
	}
	f := Finding{
		Routes: []string{h.route.Name}, Layer: who.Layer, Setting: l.Origin.Setting, Owner: who.Owner,
		Severity: soften(sev, l.Origin), Pos: l.Origin.Pos, Label: "over while the body is still on its way" + known(l.Origin),
		Message: fmt.Sprintf("%s %s at %s, and the upload of %s alone takes %s", who.Layer, fires(l), byRoute(l.Bound), nameOf(h.route), byRoute(takes)),
		Amount:  Amount{D: takes, Of: "it takes"},
		Related: []Related{{Pos: h.route.Upload.Origin.Pos, Message: "takes " + chain.Shown(takes)}},
	}
	f.Outcome = p.ended(h, who, l)
	if l.Kind == chain.WriteTotal {
		f.Message = fmt.Sprintf("%s's answer is lost: %s is over before the upload of %s is there, which takes %s", who.Layer, setting(l.Origin, byRoute(l.Bound)), nameOf(h.route), byRoute(takes))
	}
	if f.Outcome != nil && f.Outcome.From != who {
		f.Message += inWords("; it ends so:", f.Outcome)
	}
	f.Message += provided(l)
	need := above(l.Origin, takes)
	if late := h.worst(l).Total; who == h.from && late != chain.Never {
		need = max(need, p.over(h.to, l.Origin, late))
	} else if late := ownWorst(h.route, who).Total; l.Kind != chain.RequestBodyRead && who != h.from && late != chain.Never {
		need = above(l.Origin, chain.Add(takes, late))
	}
	f.offer(set(l.Origin, need))
	p.Report(f)
}

// overUpload reports whether the person's upload alone is longer than a limit
// that waits for it.
func (h hop) overUpload(l chain.Limit) bool {
	up := h.route.UploadFrom(h.from)
	return up > 0 && l.Start < chain.AtRequestSent && !l.Complete && up >= l.Bound
}
