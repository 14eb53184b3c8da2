// Package draft works out a first stack for a chain of layers. It writes down
// what the chain needs to be clean and nothing else, each value with its reason:
// limits from the inside out, each with room for the error of the one inside;
// the side that reuses a connection gives it up first; a pool holds what a
// silent callee keeps open. The values come from the model of the chain as it
// stands so far, so no product is known here.
package draft

import (
	"errors"
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// A Layer is one link of the chain.
type Layer struct {
	Name, Type     string
	Server, Client string // the types of an app's parts; Client is for the next layer
	Text           string // the value of a type that is no block
	Note           string // a comment where nothing else is written
}

// A Chain is what a stack is drafted for.
type Chain struct {
	Package string
	Name    string
	Layers  []Layer // from the person inward
}

// Read makes a resolved stack of a stack's text.
type Read func(text string) (*chain.Stack, error)

// Stack is the text of a clean stack. The error says in one line why there is none.
func Stack(c Chain, read Read) (string, error) {
	d := &drafter{chain: c, layers: skeleton(c.Layers)}
	for range rounds {
		text := d.text()
		s, err := read(text)
		if err != nil {
			return "", err
		}
		if len(s.Routes) != 1 {
			return "", errors.New("the chain makes no route")
		}
		d.route, d.changed = s.Routes[0], false
		d.improve()
		if d.changed {
			continue
		}
		found := troubles(s)
		d.repair(s, found)
		switch {
		case d.changed:
		case len(found) > 0:
			return "", fmt.Errorf("%s: %s", found[0].Rule, found[0].Message)
		default:
			return text, nil
		}
	}
	return "", errors.New("the values do not settle")
}

// rounds is how often a draft is read at most; each writes at least one value.
const rounds = 300

// troubles are the findings for which a stack is not clean.
func troubles(s *chain.Stack) []check.Finding {
	var out []check.Finding
	for _, f := range check.Run(s) {
		if f.Severity >= check.Warning {
			out = append(out, f)
		}
	}
	return out
}

// A drafter holds what has been written so far, and how it was read last.
type drafter struct {
	chain   Chain
	layers  *field
	route   *chain.Route
	changed bool // something was written since
}

// improve writes what is missing: first what begins a call, then from the inside
// out what ends it. It stops where something was written that the rest rests on.
func (d *drafter) improve() {
	nodes := d.route.Nodes()
	slices.Reverse(nodes)
	for _, n := range nodes {
		for _, c := range n.Calls() {
			d.once(c)
			d.connect(c)
		}
	}
	for _, n := range nodes {
		for _, c := range n.Calls() {
			for _, step := range []func(*chain.Node, *chain.Call){d.answer, d.gap, d.pool, d.reuse, d.quiet} {
				if d.changed {
					return
				}
				step(n, c)
			}
		}
		if !d.changed {
			d.serving(n)
		}
	}
}
