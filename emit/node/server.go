package node

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// options are what http.createServer takes; properties are set on the server.
var (
	options    = []string{"headersTimeout", "requestTimeout", "connectionsCheckingInterval", "keepAliveTimeout", "keepAliveTimeoutBuffer"}
	properties = []string{"timeout", "maxRequestsPerSocket"}
)

// isServer tells the apps that answer with Node's http.Server.
var isServer = emit.AnswersWith("node")

func find(n *chain.Node, name string) (chain.Setting, bool) {
	for _, s := range n.Settings {
		if s.Block == "server" && s.Origin.Name == name && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// serverFile are the timers of an app's server. They are the server's own and the
// same for all routes, which have to agree.
func serverFile(l *emit.Layer, s *chain.Stack, c *emit.Collector) emit.File {
	n := l.Hops[0].Node
	for _, h := range l.Hops[1:] {
		sameServer(l.Hops[0], h, c)
	}
	var b strings.Builder
	header(&b, s)
	b.WriteString("import type { Server, ServerOptions } from \"node:http\";\n\n")
	fmt.Fprintf(&b, "/**\n * The timers of the server of %s, in milliseconds, for http.createServer.\n", l.Name)
	b.WriteString(" * The first two are looked at every connectionsCheckingInterval and fire up to that much late.\n * None of them ends a handler.\n */\n")
	fmt.Fprintf(&b, "export const %s = {\n", camel(l.Name, "server", "options"))
	for _, name := range options {
		timer(&b, "  ", name, n, c)
	}
	b.WriteString("} satisfies ServerOptions;\n\n")
	fmt.Fprintf(&b, "/** Sets on the server of %s what http.createServer has no option for. */\n", l.Name)
	fmt.Fprintf(&b, "export function %s(server: Server): Server {\n", camel(l.Name, "server", "limits"))
	for _, name := range properties {
		timer(&b, "  server.", name, n, c)
	}
	b.WriteString("  return server;\n}\n")
	refuseSwap(n, c)
	return emit.File{Name: fileWord(l.Name) + "_server.ts", Content: []byte(b.String())}
}

// timer is one line for a setting; one that this version of Node does not have is
// left out.
func timer(b *strings.Builder, start, name string, n *chain.Node, c *emit.Collector) {
	s, ok := find(n, name)
	switch {
	case ok && s.Origin.Source == chain.Fixed:
		return // a constant before it was a setting
	case !ok && name == "keepAliveTimeout" && idleBySilence(n):
		silence, _ := find(n, "timeout")
		entry(b, name, "0", strings.TrimSuffix(silence.Origin.Setting, "timeout")+name+"; 0 is none: timeout stays on an idle connection")
		return
	case !ok:
		c.Refuse(&emit.Refusal{Target: target, Setting: n.Layer + ".app.server.node." + name, Why: "it has no value that is known here"})
		return
	}
	ms, err := strconv.ParseInt(s.Value, 10, 64)
	if err != nil || ms > dialect.Most.Milliseconds() {
		c.Refuse(emit.Refuse(target, s.Origin, "it is a whole number up to %d", dialect.Most.Milliseconds()))
		return
	}
	value := strconv.FormatInt(ms, 10)
	if name != "maxRequestsPerSocket" {
		value = millis(time.Duration(ms) * time.Millisecond)
	}
	comment := emit.From(s.Origin)
	if ms == 0 && name != "connectionsCheckingInterval" && name != "keepAliveTimeoutBuffer" {
		comment += "; 0 is no limit"
	}
	if strings.HasSuffix(start, ".") {
		fmt.Fprintf(b, "%s%s = %s; // %s\n", start, name, value, comment)
		return
	}
	entry(b, name, value, comment)
}

// idleBySilence reports whether the server's timeout is in force in the place of a
// keepAliveTimeout of 0, too.
func idleBySilence(n *chain.Node) bool {
	times := 0
	for _, s := range n.Settings {
		if s.Block == "server" && s.Origin.ID == "node.timeout" && s.Value != "" {
			times++
		}
	}
	return times > 1
}

// refuseSwap refuses two limits that http.createServer throws for.
func refuseSwap(n *chain.Node, c *emit.Collector) {
	head, _ := find(n, "headersTimeout")
	whole, _ := find(n, "requestTimeout")
	h, _ := strconv.Atoi(head.Value)
	w, _ := strconv.Atoi(whole.Value)
	if w > 0 && h > w {
		c.Refuse(emit.Refuse(target, head.Origin, "http.createServer throws ERR_OUT_OF_RANGE above requestTimeout %d", w))
	}
}

func sameServer(a, b emit.Hop, c *emit.Collector) {
	for _, name := range slices.Concat(options, properties) {
		x, _ := find(a.Node, name)
		y, _ := find(b.Node, name)
		if x.Value != y.Value {
			c.Refuse(emit.Refuse(target, y.Origin, "%s and %s share one server, where %s cannot be both %s and %s", a.Label(), b.Label(), name, x.Value, y.Value))
		}
	}
}
