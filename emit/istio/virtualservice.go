package istio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/pattern"
)

// virtualService is the resource of the host that the first of the rules is for.
func virtualService(l *emit.Layer, rules []pattern.Rule[string], c *emit.Collector) string {
	var b strings.Builder
	name, first := l.Name, rules[0].Hop
	if at := host(first); at != anyHost {
		name += "-" + at
	}
	head(&b, "VirtualService", named(name, c))
	fmt.Fprintf(&b, "  hosts: [%q]\n", host(first))
	if !sidecar(first) {
		fmt.Fprintf(&b, "  gateways: [%s]\n", named(l.Name, c))
		c.Warn("", "VirtualService "+name+" is bound to a Gateway named "+l.Name+", which is yours to have")
	}
	b.WriteString("  http:\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "    # %s\n    - match:\n        - uri: {%s}\n", r.Comment(), match(r.Pattern))
		switch methods := r.Methods(); {
		case methods != r.Method:
			fmt.Fprintf(&b, "          method: {regex: %q}\n", methods)
		case methods != "":
			fmt.Fprintf(&b, "          method: {exact: %s}\n", methods)
		}
		b.WriteString(r.Says)
	}
	return b.String()
}

// rules are the entries, of which Istio takes the first that matches.
func rules(hops []emit.Hop, c *emit.Collector) []pattern.Rule[string] {
	return pattern.Texts(hops, target, func(h emit.Hop) string {
		return says(h, c)
	}, c)
}

func match(p pattern.Pattern) string { return string(p.Form) + ": " + strconv.Quote(p.Value) }

// says are the destination and the timers of a rule.
func says(h emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "      route:\n        - destination: {host: %s}\n", named(h.Callee().To.Layer, c))
	if s, ok := find(h, "virtualService.http.timeout"); ok {
		routeTime(&b, 6, "timeout", s, c)
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
			routeTime(&b, 8, name, s, c)
		}
	}
	if s, ok := find(h, "virtualService.http.retries.retryOn"); ok {
		if strings.ContainsAny(s.Value, "\"\\#\n") {
			c.Refuse(emit.Refuse(target, s.Origin, "it needs quoting"))
		}
		line(&b, 8, "retryOn", strconv.Quote(conditions(s)), s.Origin)
	}
	return b.String()
}

// routeTime is a timer of a rule. Istio takes none below 1ms and none that is not of
// whole milliseconds; without a limit it takes none at all.
func routeTime(b *strings.Builder, indent int, name string, s chain.Setting, c *emit.Collector) {
	text := seconds(s, c)
	switch d, _ := time.ParseDuration(s.Value); {
	case d == 0 && name != "backoff":
		b.WriteString(strings.Repeat(" ", indent) + "# " + name + ": none, " + emit.From(s.Origin) + "; Istio takes no 0s\n")
		return
	case d < time.Millisecond || d%time.Millisecond != 0:
		c.Refuse(emit.Refuse(target, s.Origin, "Istio takes whole milliseconds, from 1ms on"))
	}
	line(b, indent, name, text, s.Origin)
}

// conditions are a retryOn. Istio takes the statuses of its default away where one is
// written, and with them what retriable-status-codes is for: written, it names its own.
func conditions(s chain.Setting) string {
	words := strings.Split(s.Value, ",")
	if s.Origin.Source == chain.Default && slices.Contains(words, "retriable-status-codes") && !slices.Contains(words, "503") {
		return s.Value + ",503"
	}
	return s.Value
}
