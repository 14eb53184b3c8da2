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
	p.eachHop(func(h hop) {
		up := h.route.Upload
		if up == nil || up.BytesPerSecond <= 0 || h.from != h.route.Root {
			return // once read, the body goes on at the speed of the network inside
		}
		takes := chain.Lasts(up.Bytes, up.BytesPerSecond)
		for _, l := range h.call.Limits() {
			if l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline {
				p.tooShortFor(h, h.from, l, takes)
			}
		}
		for _, l := range h.call.To.Serve {
			if l.Kind == chain.RequestBodyRead && l.Reset == chain.ResetNone || l.Kind == chain.WorkerKill {
				p.tooShortFor(h, h.call.To, l, takes)
			}
		}
	})
}

func (p *Pass) tooShortFor(h hop, who *chain.Node, l chain.Limit, takes time.Duration) {
	if l.Bound == chain.Never || takes < l.Bound {
		return
	}
	f := Finding{
		Routes: []string{h.route.Name}, Layer: who.Layer, Setting: l.Origin.Setting, Owner: who.Owner,
		Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: "over while the body is still on its way" + known(l.Origin),
		Message: fmt.Sprintf("%s allows %s, and the upload of %s alone takes %s", who.Layer, chain.Format(l.Bound), h.route.Name, chain.Format(takes)),
		Related: []Related{{h.route.Upload.Origin.Pos, "takes " + chain.Format(takes)}},
	}
	f.offer(set(l.Origin, above(l.Origin, takes)))
	p.Report(f)
}
