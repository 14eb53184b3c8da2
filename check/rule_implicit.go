package check

import (
	"fmt"
	"slices"
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
		if l == nil || l.Origin.Said() && !besideOwn(h.call, l) {
			return // of what is written and acts as the kernel's limit, ignored-value tells
		}
		lacks := "has no limit of its own"
		if l.Origin.Source != chain.Fixed {
			lacks = "has only a longer limit of its own"
		}
		f := h.found(Finding{
			Setting: l.Origin.Setting,
			Pos:     l.Origin.Pos, Label: "the kernel's limit, " + aboutMinutes(l.Bound) + known(l.Origin),
			Message: fmt.Sprintf("%s %s for connecting to %s: the kernel ends it, after about %s%s", h.from.Layer, lacks, h.call.To.Layer, chain.Shown(l.Bound), forEach(h.call, *l)),
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

// besideOwn reports whether the setting that the kernel's limit is shorter than is in
// force, too, as one that bounds more than a connect.
func besideOwn(c *chain.Call, kernel *chain.Limit) bool {
	return slices.ContainsFunc(c.Limits(), func(l chain.Limit) bool {
		return l.Kind == chain.Connect && !l.Kernel && l.Origin.Setting == kernel.Origin.Setting
	})
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
