package compile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// ingressNginxAsksAnew is the release since which its own balancer picks a pod for
// each attempt, so that NGINX knows of no pods after which to stop; before, they were
// the servers of an upstream: https://github.com/kubernetes/ingress-nginx/pull/3198.
const ingressNginxAsksAnew = "0.21"

// adjustIngressNginx: a time or a count that is no bare integer is replaced by the
// ConfigMap's value, or by the default, without a word.
func adjustIngressNginx(e *effective) {
	for _, s := range e.settings {
		seconds := s.field.Notation != nil && s.field.Notation.Replaced
		if !seconds && !(s.field.Notation == nil && s.field.takes("int") && s.field.takes("string")) {
			continue
		}
		if seconds && s.origin.Place != nil {
			place := *s.origin.Place
			place.Notation = chain.Notation{Name: s.field.Notation.Name, Bare: "s", Number: true, Example: "90"}
			s.origin.Place = &place
		}
		text, isText := s.raw.(string)
		if !s.written() || !isText {
			continue
		}
		switch n, err := strconv.Atoi(text); { // which the controller calls, too
		case err != nil && seconds:
			e.replaced(s, text, s.field.Notation.Name)
		case err != nil:
			e.replaced(s, text, "a whole number")
		case seconds:
			s.d = time.Duration(n) * time.Second
		}
	}
	e.numbers()
	if tries := e.find("proxy-next-upstream-tries"); tries.state == known && tries.number() == 0 && e.version != "" && !atLeast(e.version, ingressNginxAsksAnew) {
		f := *tries.field
		f.Zero, tries.field = "", &f
		tries.origin.Note = "0 is each pod once"
	}
	if protocol := e.find("proxy-http-version"); protocol.asksWithout() {
		e.noUpgrade = func(location) *chain.NoUpgrade { return protocol.noUpgrade() }
	}
	if s := e.find("retry-non-idempotent"); s != nil && s.text == "true" {
		e.find("proxy-next-upstream").also("non_idempotent")
	}
}

// replaced gives a setting the value that the controller takes instead.
func (e *effective) replaced(s *setting, text, takes string) {
	written := s.origin
	e.fallBack(frame{field: e.typ.Root, blocks: e.blocks, path: append(slices.Clone(e.path), "configMap")}, s)
	from := "the default"
	v := e.blocks.child("configMap").value(written.Name)
	if v.known() && strings.Contains(written.Setting, ".annotations.") && isInteger(v.Text) {
		s.state, s.raw, s.text, s.d, s.origin = known, v.Raw, v.Text, v.D, e.complete(v)
		from = "the ConfigMap's"
	} else {
		s.origin.StandAt(written)
		s.origin.Place, s.origin.Setting = written.Place, written.Setting
	}
	s.origin.Note = strconv.Quote(text) + " is ignored"
	e.remark(chain.NoticeIgnored, &setting{origin: written}, s, "%s %q is ignored: ingress-nginx takes %s; %s %s is in force", written.Name, text, takes, from, s.text)
}

func isInteger(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}
