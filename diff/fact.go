package diff

import (
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/report"
)

// facts compares what is in force beside the timers of the calls: what is
// declared of the world, versions, and settings. told are settings that the
// timers already tell of.
func facts(olds, news []fact, told map[string]bool) []Fact {
	var out []Fact
	for _, p := range paired(olds, news, func(f *fact) string { return f.layer + "\x00" + f.block + "\x00" + f.setting + "\x00" + f.name }) {
		a, b := at(olds, p[0]), at(news, p[1])
		if a == nil {
			a = &fact{}
		}
		some := b
		if b == nil {
			b, some = &fact{}, a
		}
		if a.value == b.value || told[some.setting] && some.setting != "" {
			continue
		}
		out = append(out, Fact{some.layer, some.setting, some.name, a.value, b.value, Text{a.source, b.source}})
	}
	return out
}

type fact struct{ layer, block, setting, name, value, source string }

func factsOf(r *chain.Route, named func(string) string) []fact {
	var out []fact
	add := func(layer, name, value string) {
		if value != "" {
			out = append(out, fact{layer: layer, name: name, value: value})
		}
	}
	add("", "peak rate", report.RateText(r.TPS))
	add("", "open at once", size(r.Concurrent))
	add("", "within", value(r.Within))
	add("", "quiet for", value(r.QuietFor))
	add("", "sent twice without harm", strconv.FormatBool(r.IsIdempotent()))
	add("", "answer", string(r.Response.Mode))
	if r.Upload != nil {
		add("", "upload", fmt.Sprintf("%d bytes at %d/s", r.Upload.Bytes, r.Upload.BytesPerSecond))
	}
	seen := map[string]bool{}
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			to := "calls of " + c.To.Layer
			add(n.Layer, to, fmt.Sprintf("%d × %d", max(c.Times, 1), max(c.AtOnce, 1)))
			add(n.Layer, "addresses of "+c.To.Layer, strconv.Itoa(c.Addresses))
			add(n.Layer, "way to "+c.To.Layer, value(c.RTT))
			for _, l := range c.Layers {
				if l.Retry != nil {
					add(n.Layer, "attempts at "+c.To.Layer+strings.TrimRight(" by "+l.Name, " by"), chain.CountText(chain.MaxAttempts(l.Retry, c)))
				}
			}
		}
		if seen[n.Layer] {
			continue
		}
		seen[n.Layer] = true
		add(n.Layer, "version", n.Product)
		add(n.Layer, "instances", size(n.Instances))
		add(n.Layer, "requests at once", size(n.Concurrency))
		add(n.Layer, "average of its own work", value(n.Work.Avg))
		add(n.Layer, "p99 of its own work", value(n.Work.P99))
		add(n.Layer, "most of its own work", value(n.Work.Max))
		add(n.Layer, "cold start", value(n.Work.ColdStart))
		add(n.Layer, "error room", value(n.ErrorRoom))
		for _, s := range n.Settings {
			s.Origin.Pos.File = named(s.Origin.Pos.File)
			out = append(out, fact{n.Layer, s.Block, s.Origin.Setting, s.Origin.Name, s.Value, report.SourceText(s.Origin)})
		}
	}
	return out
}

func value(v chain.Value) string {
	if !v.Declared() {
		return ""
	}
	return chain.Format(v.D)
}

func size(s chain.Size) string {
	if !s.Declared() {
		return ""
	}
	return strconv.Itoa(s.N)
}
