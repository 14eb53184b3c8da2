package node

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// valuesFile is an app's file of values.
func valuesFile(a *limits.App, s *chain.Stack, c *emit.Collector) []byte {
	var b strings.Builder
	header(&b, s)
	b.WriteString("import type { Limits } from \"./tchain_client.js\";\n")
	for _, cl := range a.Clients {
		fields := cl.Fields(c)
		cl.Warn(varName(cl), c)
		fmt.Fprintf(&b, "\n/**\n * The limits of every call from %s to %s.\n * %s\n */\nexport const %s: Limits = {\n",
			a.Layer, strings.Join(cl.Callees, " and "), cl.Deadline("deadline option", "the client"), varName(cl))
		var previous limits.Field
		for _, f := range fields {
			text := f.Comment(previous, cl.Note(f, s.Policy))
			previous = f
			entry(&b, property(f.Name), literal(f), text)
		}
		b.WriteString("};\n")
	}
	return []byte(b.String())
}

// entry is one line of an object.
func entry(b *strings.Builder, name, value, comment string) {
	fmt.Fprintf(b, "  %s: %s,", name, value)
	if comment != "" {
		b.WriteString(" // " + comment)
	}
	b.WriteString("\n")
}

// property is a field's name in TypeScript: "PerCall" is perCall, "TLS" tls.
func property(name string) string {
	if name == strings.ToUpper(name) {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}

func literal(f limits.Field) string {
	switch {
	case f.Count:
		return strconv.Itoa(f.N)
	case f.List != nil:
		return list(f.List)
	case f.Literal != "":
		return f.Literal
	}
	return millis(f.D)
}

// list is names and statuses as an array.
func list(words []string) string {
	var out []string
	for _, w := range words {
		if _, err := strconv.Atoi(w); err != nil {
			w = strconv.Quote(w)
		}
		out = append(out, w)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// millis is a duration as a number of milliseconds: 90_000.
func millis(d time.Duration) string {
	text := strconv.FormatInt(d.Milliseconds(), 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}
