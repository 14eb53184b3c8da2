package istio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/pattern"
)

// A rule is one entry of a VirtualService: what it matches, and what it says.
type rule struct {
	pattern.Pattern
	says    string
	comment string
	hop     emit.Hop
}

func virtualService(l *emit.Layer, hops []emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	name := l.Name
	if at := host(hops[0]); at != anyHost {
		name += "-" + at
	}
	head(&b, "VirtualService", named(name, c))
	fmt.Fprintf(&b, "  hosts: [%q]\n", host(hops[0]))
	if !sidecar(hops[0]) {
		fmt.Fprintf(&b, "  gateways: [%s]\n", named(l.Name, c))
		c.Warn("", "VirtualService "+name+" is bound to a Gateway named "+l.Name+", which is yours to have")
	}
	b.WriteString("  http:\n")
	for _, r := range rules(hops, c) {
		fmt.Fprintf(&b, "    # %s\n    - match:\n        - uri: {%s}\n", r.comment, r.match())
		if r.Method != "" {
			fmt.Fprintf(&b, "          method: {exact: %s}\n", r.Method)
		}
		b.WriteString(r.says)
	}
	return b.String()
}

// rules are the entries in the order in which Istio, which takes the first one that
// matches, chooses as ServeMux would.
func rules(hops []emit.Hop, c *emit.Collector) []rule {
	var out []rule
	for _, h := range hops {
		later(h, c)
		r := rule{pattern.Of(h, target, c), says(h, c), h.Label() + h.Ends(), h}
		at := slices.IndexFunc(out, func(o rule) bool { return o.Same(r.Pattern) })
		switch {
		case at < 0:
			out = append(out, r)
		case out[at].says != r.says:
			c.Refuse(&emit.Refusal{Target: target, Value: out[at].hop.Label() + " and " + h.Label(), Why: "they match the same requests, and their values differ"})
		}
	}
	slices.SortStableFunc(out, func(a, b rule) int { return pattern.Compare(a.Pattern, b.Pattern) })
	return out
}

func (r rule) match() string { return string(r.Form) + ": " + strconv.Quote(r.Value) }

// says are the destination and the timers of a rule.
func says(h emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "      route:\n        - destination: {host: %s}\n", named(h.Callee().To.Layer, c))
	if s, ok := find(h, "virtualService.http.timeout"); ok {
		line(&b, 6, "timeout", seconds(s, c), s.Origin)
	}
	attempts, ok := find(h, "virtualService.http.retries.attempts")
	if !ok {
		return b.String()
	}
	b.WriteString("      retries:\n")
	line(&b, 8, "attempts", whole(attempts, c), attempts.Origin)
	if attempts.Value == "0" {
		return b.String()
	}
	for _, name := range []string{"perTryTimeout", "backoff"} {
		if s, ok := find(h, "virtualService.http.retries."+name); ok {
			line(&b, 8, name, seconds(s, c), s.Origin)
		}
	}
	if s, ok := find(h, "virtualService.http.retries.retryOn"); ok {
		if strings.ContainsAny(s.Value, "\"\\#\n") {
			c.Refuse(emit.Refuse(target, s.Origin, "it needs quoting"))
		}
		line(&b, 8, "retryOn", strconv.Quote(s.Value), s.Origin)
	}
	return b.String()
}
