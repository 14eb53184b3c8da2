package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var implicit = &Rule{
	ID:        "implicit",
	Title:     "an outcome is decided by a default that differs between versions, or by the kernel",
	Why:       "The version is not written, and the product's default has changed: the same file means something else after the next image bump. Write the version, or write the value. Or nothing limits a connect, and the operating system gives up on it by a number that nobody looks at, after two minutes for each address. Write a limit for connecting.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "which value is in force is open, and the other rules say what it does",
	Check:     checkImplicit,
}

func checkImplicit(p *Pass) {
	reportNotices(chain.NoticeImplicit, Warning, "differs between versions")(p)
	p.eachHop(func(h hop) {
		t, ok := pick(h.traces(), chain.Blackhole, h.call)
		if !ok {
			return
		}
		l := endedByKernel(t)
		if l == nil {
			return
		}
		f := h.found(Finding{
			Setting: l.Origin.Setting,
			Pos:     l.Origin.Pos, Label: "the kernel's limit, " + aboutMinutes(l.Bound) + known(l.Origin),
			Message: fmt.Sprintf("%s has no limit of its own for connecting to %s: the kernel ends it, after about %s%s", h.from.Layer, h.call.To.Layer, chain.Shown(l.Bound), forEach(h.call, *l)),
			Trace:   &t,
		})
		f.offer(set(l.Origin, enoughToConnect))
		p.Report(f)
	})
}

// enoughToConnect is the limit that is offered for connecting: a SYN that is lost
// is sent again after a second (RFC 6298), so that one may be lost.
const enoughToConnect = 3 * time.Second

// endedByKernel is the kernel's limit, where it is what ends the connect that a fault
// leaves without an answer, and the outermost caller has the outcome from that;
// nil if it is not.
func endedByKernel(t chain.Trace) *chain.Limit {
	for _, e := range t.Events {
		if e.Kind == chain.EvTimeout && e.Limit.Kernel && e.At <= t.Outcome.At {
			return e.Limit
		}
	}
	return nil
}

// forEach says that several addresses have the limit each.
func forEach(c *chain.Call, l chain.Limit) string {
	if l.Per == chain.PerAddress && !c.OneByOne && c.Addresses > 1 {
		return fmt.Sprintf(" for each of %d addresses", c.Addresses)
	}
	return ""
}

func aboutMinutes(d time.Duration) string {
	return fmt.Sprintf("about %d min", int(d.Round(time.Minute)/time.Minute))
}
