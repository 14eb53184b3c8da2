package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// layerNode is the node of a layer that is one product.
func (t *tree) layerNode(h here, e *effective) *chain.Node {
	n := t.node(h)
	n.Product = e.product()
	n.Role, n.Cancel = e.typ.Role, e.typ.Cancel
	n.Answers = slices.Clone(e.typ.Answers)
	n.Unbounded = slices.Clone(e.typ.Phases)
	t.serve(n, e)
	n.Settings = e.native("")
	t.remarks(e)
	t.implicit(e)
	for _, s := range e.settings {
		if c, ok := s.field.Cancels[s.text]; ok && s.state == known {
			n.Cancel = chain.Cancel(c)
		}
	}
	facts := layered(e.blocks)
	switch e.typ.Role {
	case chain.RoleLeaf:
		n.Work = t.work(facts.child("latency"), h.layer.Name)
		if v := facts.value("errors", "unavailable"); t.given(v, h.layer.Name) {
			n.Answers = append(n.Answers, chain.Answer{Cond: "503", Status: v.number()})
		}
	case chain.RoleUnknown:
		n.Product = "unknown"
		t.notChecked(h.layer.Name, "", unknownReason(h.layer))
	}
	t.announces(h, n, e)
	return n
}

func unknownReason(l *Layer) string {
	if l.Text == "" {
		return l.Name + " is unknown: its limits are not known"
	}
	return fmt.Sprintf("%s is unknown (%s): its limits are not known", l.Name, l.Text)
}

// node is what is said of every layer beside its type.
func (t *tree) node(h here) *chain.Node {
	l, facts := h.layer, h.facts()
	n := &chain.Node{
		Layer: l.Name, Type: l.Type.Key, Product: l.Type.Key, Owner: facts.value("owner").text(), Pos: l.Pos,
		Instances: t.size(facts.value("instances"), l.Name),
		ErrorRoom: t.duration(facts.value("errorRoom"), l.Name),
	}
	if v := facts.value("scale", "max"); t.given(v, l.Name) {
		n.ScaleMax = v.number()
	}
	if !n.Instances.Declared() {
		n.Instances = t.size(facts.value("scale", "min"), l.Name)
	}
	t.life(h, n)
	return n
}

// hijacked reports whether a limit of the answering side is gone once a connection is upgraded.
func (e *effective) hijacked(l chain.Limit) bool {
	return slices.ContainsFunc(e.settings, func(s *setting) bool {
		return s.origin.Setting == l.Origin.Setting && slices.Contains(s.field.Flags, "hijacked")
	})
}

// wholeAnswer is the setting with which the answering side keeps its answer until it is whole.
func (e *effective) wholeAnswer() (out chain.Origin) {
	for _, s := range e.settings {
		if bound, _, ok := s.bound(); slices.Contains(s.field.Flags, "wholeanswer") && s.state != unset && ok && bound != chain.Never {
			out = s.origin
		}
	}
	return out
}

// serve is what the answering side bounds.
func (t *tree) serve(n *chain.Node, e *effective) {
	n.WholeAnswer = e.wholeAnswer()
	for _, l := range e.timers {
		t.inForce[l.Origin.Setting] = true
		if l.Side != chain.Answering || t.route.Response.Mode == chain.WebSocket && e.hijacked(l) {
			continue
		}
		n.Serve = append(n.Serve, l)
		if l.Why == unknownBound && slices.Contains(answeringKinds, l.Kind) {
			n.Unbounded = append(n.Unbounded, chain.Unbounded{Phase: l.End, Reason: l.Origin.Name + " is " + l.Why})
		}
	}
	n.PingStrikes = e.sized(chain.PingStrikes).size()
	switch s := e.sized(chain.Concurrency); {
	case !s.size().Declared():
	case s.meaning() == "at-once":
		n.Refuses = s.origin
	default:
		n.Concurrency, n.TurnsAway, n.PerConnection = s.size(), s.field.Size.Refuses, s.field.Size.Connections
	}
}

// announces is the idle time that callers are told: declared, or by a product
// that tells its own. A product that is known to tell none has Never; of others
// it is not known.
func (t *tree) announces(h here, n *chain.Node, e *effective) {
	var idle, tells *setting
	for _, s := range e.settings {
		if i := slices.IndexFunc(s.field.Limits, func(l LimitSpec) bool {
			return l.Kind == chain.IdleKeepalive && l.Side == chain.Answering
		}); i >= 0 {
			idle = s
			if slices.Contains(s.field.Flags, "announces") {
				tells = s
			}
		}
	}
	v := h.facts().value("endpoint", "announcesKeepAlive")
	if yes, isBool := v.rawOf().(bool); isBool && yes {
		tells = idle
	}
	switch {
	case v != nil && !t.given(v, h.layer.Name):
	case v != nil && v.text() != "":
		n.Announces = t.duration(v, h.layer.Name)
	case v != nil && !v.yes():
		n.Announces = chain.Value{D: chain.Never, Origin: t.own(v, h.layer.Name)}
	case tells != nil && tells.state == known:
		d, _, _ := tells.bound()
		if tells.announced > 0 {
			d = tells.announced
		}
		n.Announces = chain.Value{D: d, Origin: tells.origin}
	case v == nil && idle != nil && idle.state == known && idle.field.DocURL != "":
		o := idle.origin
		o.Source, o.Note, o.Place = chain.Default, e.typ.Key+" does not announce it", nil
		n.Announces = chain.Value{D: chain.Never, Origin: o}
	}
}

func (t *tree) work(block layered, layer string) chain.Work {
	return chain.Work{
		Avg: t.measured(block.value("avg"), layer), P99: t.measured(block.value("p99"), layer), Max: t.measured(block.value("max"), layer),
	}
}

// native are the settings in force in the product's own syntax, once for all that
// ask. prefix is the block of an app that the part stands in.
func (e *effective) native(prefix string) []chain.Setting {
	if out, ok := e.natives[prefix]; ok {
		return out
	}
	out := slices.Grow([]chain.Setting(nil), len(e.settings))
	for _, s := range e.settings {
		if s.state != known || s.field.Fixed != "" || s.d == chain.Never {
			continue
		}
		out = append(out, chain.Setting{Block: strings.Trim(prefix+"."+s.block, "."), Value: s.text, Origin: s.origin})
	}
	if e.natives == nil {
		e.natives = map[string][]chain.Setting{}
	}
	e.natives[prefix] = slices.Clip(out)
	return e.natives[prefix]
}

// remarks are what turned up while a part was settled.
func (t *tree) remarks(e *effective) {
	for _, n := range e.notices {
		t.notice(n)
	}
	if t.route.Response.Mode != chain.WebSocket {
		for _, n := range e.reuse {
			t.notice(n)
		}
	}
	for _, s := range e.settings {
		if s.state == unknown && s.origin.Source == chain.Injected {
			t.gap(e.layer, s.origin.Setting, notGiven(s.origin.Name, ""))
		}
	}
	switch list, count := e.conditions(), e.sized(chain.RetryCount); {
	case list.written():
		t.words(e, list)
	case list != nil && list.state == unset && count != nil && count.state == known && count.number() > 1:
		t.notChecked(e.layer, list.origin.Setting, list.origin.Name+" is not written: every failure is taken to be repeated")
	}
	for _, reason := range e.open {
		t.notChecked(e.layer, settingPath(e.path), reason)
	}
	for _, key := range e.unmatched {
		t.notChecked(e.layer, settingPath(e.path), fmt.Sprintf("%q may or may not hold for this route", key))
	}
}

// words reports the words of a list of conditions that mean nothing: to a
// product they are a setting that it rejects, in a list of the team's own a mistake.
func (t *tree) words(e *effective, list *setting) {
	_, _, _, bad := list.conds()
	for _, word := range bad {
		if list.field.Retry != nil && list.field.Retry.Tokens != nil {
			t.notice(chain.Notice{
				Kind: chain.NoticeRejected, Layer: e.layer, Origin: list.origin,
				Message: fmt.Sprintf("%s: %s does not know %q", list.origin.Name, e.typ.Key, word),
			})
			continue
		}
		t.fail(list.origin.Pos, "%s: unknown condition %q; a status, a class as 5xx, timeout, error, or one of %s", list.origin.Name, word, condWords())
	}
}

func condWords() string {
	var out []string
	for _, c := range slices.Concat(failures, timeouts[1:]) {
		out = append(out, string(c))
	}
	return strings.Join(out, ", ")
}
