package compile

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// life is how a layer is stopped and probed by the platform that it runs on.
func (t *tree) life(h here, n *chain.Node) {
	if pod := t.platform(h, "kubernetes"); pod != nil {
		n.Stop = chain.Stop{Grace: pod.timedBy(chain.StopGrace).value(), PreStop: pod.timedBy(chain.PreStop).value(), Pod: true}
		if run := pod.named("lifecycle.preStop.exec.command", nil); run.written() && !n.Stop.PreStop.Declared() {
			t.preStopCommand(n, run)
		}
		n.Checks = pod.checks("kubernetes", func(name string) bool { return len(pod.blocks.child(name)) > 0 })
		t.remarks(pod)
	}
	if c := t.platform(h, "container"); c != nil && !n.Stop.Declared() {
		n.Stop.Grace = c.timedBy(chain.StopGrace).value()
		t.remarks(c)
	}
}

// sleeps is a command that only waits, as pods without the sleep action use it.
var sleeps = regexp.MustCompile(`^(?:\S*sh -c )?(?:\S*/)?sleep (\d+)s?$`)

// preStopCommand takes a command that only waits for what it is; of another one
// it is not known how long it takes.
func (t *tree) preStopCommand(n *chain.Node, run *setting) {
	if m := sleeps.FindStringSubmatch(strings.Join(run.words(), " ")); m != nil {
		if d, err := time.ParseDuration(m[1] + "s"); err == nil {
			n.Stop.PreStop = chain.Value{D: d, Origin: run.origin}
			n.Stop.PreStop.Origin.Place = nil
			return
		}
	}
	n.Stop.PreStopOpen = true
	t.notChecked(n.Layer, run.origin.Setting, "preStop of "+n.Layer+" runs a command: how long it takes is not known")
}

// platform is what is in force of a block beside the layer's type; nil if it is
// not written.
func (t *tree) platform(h here, name string) *effective {
	blocks := h.facts().child(name)
	if len(blocks) == 0 {
		return nil
	}
	typ := &Type{Category: "layer", Key: name, Title: name, Root: blocks[0].Field}
	return t.settle(&part{
		typ: typ, blocks: blocks, path: []string{"layers", h.layer.Name, name}, pos: h.layer.Pos, layer: h.layer.Name, asOf: t.d.AsOf, place: t.place,
	}, "", location{}, h.over != nil)
}

// timedBy is the first setting with a limit of a kind; nil if there is none.
func (e *effective) timedBy(kind chain.Kind) *setting {
	s, _ := e.timed(kind)
	return s
}

// checks are the health checks that the settings describe: a struct with the
// time from probe to probe, and beside it how long one may take and how many may fail.
func (e *effective) checks(what string, there func(name string) bool) []chain.HealthCheck {
	var out []chain.HealthCheck
	for _, every := range e.settings {
		if !every.limits(chain.Probe) || every.state != known {
			continue
		}
		prefix, _, _ := cutLast(every.name)
		word, _, _ := strings.Cut(prefix, ".")
		if !there(word) {
			continue
		}
		c := chain.HealthCheck{Name: word, Every: every.value(), Kills: word == "livenessProbe", Pos: every.origin.Pos}
		if word == "" {
			c.Name = what
		}
		for _, s := range e.settings {
			switch {
			case s.group != every.group || !strings.HasPrefix(s.name, prefix):
			case s.limits(chain.ProbeTimeout):
				c.Timeout = s.value()
			case s.field.Size != nil && s.field.Size.Kind == chain.ProbeFailures:
				c.Fails = s.size()
			case slices.Contains(s.field.Flags, "probed") && s.state == known:
				c.Path = s.text
				c.Pos = s.origin.Pos
			}
		}
		if c.Timeout.Declared() && c.Fails.Declared() {
			out = append(out, c)
		}
	}
	return out
}

func (s *setting) limits(kind chain.Kind) bool {
	return slices.ContainsFunc(s.field.Limits, func(l LimitSpec) bool { return l.Kind == kind })
}

// cutLast cuts a dotted name before its last word.
func cutLast(name string) (before, last string, found bool) {
	i := strings.LastIndex(name, ".")
	return name[:i+1], name[i+1:], i >= 0
}
