package istio

import (
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/pattern"
)

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
		fmt.Fprintf(&b, "    # %s\n    - match:\n        - uri: {%s}\n", r.Comment(), match(r.Pattern))
		if r.Method != "" {
			fmt.Fprintf(&b, "          method: {exact: %s}\n", r.Method)
		}
		b.WriteString(r.Says)
	}
	return b.String()
}

// rules are the entries, of which Istio takes the first that matches.
func rules(hops []emit.Hop, c *emit.Collector) []pattern.Rule[string] {
	return pattern.Texts(hops, target, func(h emit.Hop) string {
		h.RefuseAtRunTime(target, "", c)
		return says(h, c)
	}, c)
}

func match(p pattern.Pattern) string { return string(p.Form) + ": " + strconv.Quote(p.Value) }

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
