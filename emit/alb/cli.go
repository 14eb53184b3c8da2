package alb

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/emit"
)

// cli are the attributes as the AWS CLI takes them, a file for each call, and the
// script that makes the calls. JSON has no comments: the script has them.
func (l *layer) cli(c *emit.Collector) []emit.File {
	script := l.file + ".aws.sh"
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	l.header(&b, script)
	b.WriteString("# Sets the timers of load balancers and target groups that exist.\n#\n")
	l.about(&b)
	b.WriteString("set -eu\n: \"${" + l.variable(l.name, c) + "?the ARN of the load balancer " + l.name + "}\"\n")
	for _, g := range l.groups {
		b.WriteString(": \"${" + l.variable(g.peer, c) + "?the ARN of the target group for " + g.peer + "}\"\n")
	}
	b.WriteString("here=$(dirname -- \"$0\")\n")
	var files []emit.File
	call := func(name, command, arn, input string, content any, vs []value) {
		text, _ := json.MarshalIndent(content, "", "  ") // of strings and numbers only
		files = append(files, emit.File{Name: name, Content: append(text, '\n')})
		b.WriteString("\n")
		for _, v := range vs {
			fmt.Fprintf(&b, "# %s %s: %s\n", v.call(), v.text, v.comment)
		}
		fmt.Fprintf(&b, "aws elbv2 %s %s \"$%s\" %s \"file://$here/%s\"\n", command, arnFlag(command), arn, input, name)
	}
	call(l.file+".load-balancer-attributes.json", "modify-load-balancer-attributes", l.variable(l.name, c), "--attributes", pairs(l.own), l.own)
	for _, g := range l.groups {
		at, arn := l.file+"."+g.peer, l.variable(g.peer, c)
		call(at+".target-group-attributes.json", "modify-target-group-attributes", arn, "--attributes", pairs(g.attrs), g.attrs)
		call(at+".target-group.json", "modify-target-group", arn, "--cli-input-json", fields(g.check), g.check)
	}
	return append(files, emit.File{Name: script, Content: []byte(b.String())})
}

func arnFlag(command string) string {
	if command == "modify-load-balancer-attributes" {
		return "--load-balancer-arn"
	}
	return "--target-group-arn"
}

// A pair is an attribute as modify-…-attributes takes it.
type pair struct{ Key, Value string }

func pairs(vs []value) []pair {
	out := make([]pair, 0, len(vs))
	for _, v := range vs {
		out = append(out, pair{v.key, v.text})
	}
	return out
}

// fields are the input of modify-target-group.
func fields(vs []value) map[string]any {
	out := map[string]any{}
	for _, v := range vs {
		out[v.field] = v.text
		if n, err := strconv.Atoi(v.text); v.number() && err == nil {
			out[v.field] = n
		}
	}
	return out
}

// call is the name of the value in the calls.
func (v value) call() string {
	if v.key != "" {
		return v.key
	}
	return v.field
}

// variable is the name of the environment's variable for the ARN of a layer's own
// balancer or of a target group. Two layers that would share one are refused.
func (l *layer) variable(name string, c *emit.Collector) string {
	as := func(n string) string {
		return strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(label(n)))
	}
	for _, g := range l.groups {
		if g.peer != name && as(g.peer) == as(name) {
			c.Refuse(&emit.Refusal{Target: target, Value: name, Why: "it and " + g.peer + " would both be " + as(name) + " in the script"})
		}
	}
	if name == l.name {
		return as(name) + "_LB_ARN"
	}
	return as(name) + "_TG_ARN"
}
