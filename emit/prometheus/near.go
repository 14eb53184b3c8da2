package prometheus

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A closeCall is one rule for answers that come near to a limit.
type closeCall struct {
	call
	m      *metric
	at     time.Duration
	counts string // the series that it looks at
	notes  []string
}

// near are the rules for the time that is left to the limit on a call: more than one
// answer in a hundred takes longer than four fifths of it, or than the last bucket
// before it where a product has its own ones. A share beyond a bucket is exact, where
// a quantile between two of them is a guess.
func (w *writer) near(calls []call) {
	var all []*closeCall
	for _, x := range calls {
		if x.limit.Origin.Source == "" {
			continue // said by timeouts, or by the check itself
		}
		m := x.measure()
		if x.Route.Response.Flows() {
			w.Warn(x.limit.Origin.Setting, "no alert tells when answers of "+x.Label()+" come near to it: metrics count a "+x.Route.Response.Mode.Text()+" to its end")
			continue
		}
		if m == nil {
			w.Warn(x.limit.Origin.Setting, "no alert tells when "+x.Node.Layer+"'s answers come near to it: no metric of "+x.Outer.Type+" or "+x.Node.Type+" is known for that")
			continue
		}
		at, why := threshold(m, x.limit.Bound)
		if at == 0 {
			w.Warn(x.limit.Origin.Setting, "no alert tells when "+x.Node.Layer+"'s answers come near to it: "+m.name+" has no bucket below it")
			continue
		}
		note := fmt.Sprintf("%s of %s, at which %s gives up (%s)", why, chain.Format(x.limit.Bound), x.Outer.Layer, emit.From(x.limit.Origin))
		if m.byRoute() {
			note = x.Label() + ": " + note
		}
		counts := x.selector(m, "")
		i := slices.IndexFunc(all, func(c *closeCall) bool { return c.counts == counts })
		switch {
		case i < 0:
			all = append(all, &closeCall{x, m, at, counts, []string{note}})
		case at < all[i].at: // the same series on several routes: the shortest limit counts
			all[i].call, all[i].at, all[i].notes = x, at, []string{note}
		case at == all[i].at && !slices.Contains(all[i].notes, note):
			all[i].notes = append(all[i].notes, note)
		}
	}
	for _, c := range all {
		w.close(c)
	}
	w.buckets(all)
}

func (w *writer) close(c *closeCall) {
	limit := inUnit(c.at, c.m.unit)
	expr := "max(" + c.counts + ") > " + limit
	watched := c.counts
	if !c.m.gauge {
		// A client library writes le="72" or le="72.0".
		watched = c.selector(c.m, "_bucket", label{"le", "=~", limit + `(\.0+)?`})
		expr = fmt.Sprintf("sum(rate(%s[5m]))\n/ sum(rate(%s[5m])) < 0.99", watched, c.selector(c.m, "_count"))
	}
	w.rules.add(alert{
		name: "TchainNearLimit", expr: expr, lasts: "5m", severity: "warning", layer: c.Node.Layer, comments: c.notes, doc: c.m.doc,
		summary: fmt.Sprintf("More than 1 of 100 answers of %s take over %s; %s gives up at %s", c.Node.Layer, chain.Format(c.at), c.Outer.Layer, chain.Format(c.limit.Bound)),
	})
	w.watch(watched, c.Node.Layer, c.m)
}

// buckets says which ones a team has to ask for.
func (w *writer) buckets(all []*closeCall) {
	var wheres []string
	want := map[string][]time.Duration{}
	for _, c := range all {
		if c.m.atBucket == "" {
			continue
		}
		owner := c.Outer.Layer
		if c.m == serverRequests {
			owner = c.Node.Layer
		}
		where := owner + " needs buckets of its own in " + c.m.name + ", by " + c.m.atBucket
		if want[where] == nil {
			wheres = append(wheres, where)
		}
		want[where] = append(want[where], c.at)
	}
	for _, where := range wheres {
		at := want[where]
		slices.Sort(at)
		var texts []string
		for _, d := range slices.Compact(at) {
			texts = append(texts, chain.Format(d))
		}
		w.Warn("", where+": "+strings.Join(texts, ", "))
	}
}

// measure is how long the answers to a call take: by its callee, for each route, else
// by its caller. What an app calls is known to its client alone.
func (x call) measure() *metric {
	known, _ := x.of()
	if m := x.server().serves; m != nil && (!x.Inside || known.calls == nil) {
		return m
	}
	return known.calls
}

// threshold is when an answer is near to a limit, and what that is in words; 0 if
// there is no bucket for it.
func threshold(m *metric, limit time.Duration) (at time.Duration, why string) {
	if m.buckets == nil {
		return limit - limit/5, "four fifths"
	}
	for _, b := range m.buckets {
		if b < limit {
			at = b
		}
	}
	return at, "the last bucket, " + chain.Format(at) + ", before the end"
}
