// Package diff compares what is in force in two versions of stacks: not their
// text, but limits with their sources, worst cases, slack, pools, what each fault
// comes to, and findings. It is pure: it reads no files and prints nothing.
package diff

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/emit/report"
)

// schemaVersion changes only when a field goes or changes its meaning;
// docs/json.md describes every field.
const schemaVersion = 1

// A Stack is one stack of one side.
type Stack struct {
	Dir        string // from the root of its side on
	Stack      *chain.Stack
	Findings   []check.Finding
	Suppressed []check.Finding
	// Named gives files the names that a reader knows; nil leaves them as they are.
	Named func(file string) string
}

// A Kind says how a thing differs.
type Kind string

// The ways in which a thing can differ.
const (
	New     Kind = "new"
	Gone    Kind = "gone"
	Changed Kind = "changed"
	Worse   Kind = "worse" // of a finding: it stood before, and more is wrong now
)

// A Diff is all that differs between two sides.
type Diff struct {
	SchemaVersion int    `json:"schemaVersion"`
	Old           string `json:"old"` // as people call the sides
	New           string `json:"new"`
	Compared      int    `json:"compared"` // stacks of both sides, a pair counts once
	Stacks        []Pair `json:"stacks"`   // those that differ
}

// A Pair is one stack before and after.
type Pair struct {
	Stack    string    `json:"stack"`
	Change   Kind      `json:"change"`
	Name     *Text     `json:"name"` // nil where it is the same
	Dir      Text      `json:"dir"`
	Findings []Finding `json:"findings"`
	Routes   []Route   `json:"routes"`
}

// Text is a word before and after; "" is none.
type Text struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// A Route is one request pattern before and after.
type Route struct {
	Route    string  `json:"route"`
	Entrance string  `json:"entrance"`
	Change   Kind    `json:"change"`
	Path     *Text   `json:"path"`  // "web → api"; nil where it is the same
	Worst    *Span   `json:"worst"` // how long the outermost layer waits at most; nil where it is the same
	Facts    []Fact  `json:"facts"`
	Hops     []Hop   `json:"hops"`
	Faults   []Fault `json:"faults"`

	// Outermost is the layer that waits for all others.
	Outermost string `json:"outermost"`
}

// A Span is a duration before and after, nil where there is none.
type Span struct {
	Old *report.Duration `json:"old"`
	New *report.Duration `json:"new"`
}

// A Fact is something that is in force and no timer of a call.
type Fact struct {
	Layer   string `json:"layer"`   // "" is the route itself
	Setting string `json:"setting"` // the path of a setting; "" for what is declared of the world
	Name    string `json:"name"`
	Old     string `json:"old"` // "" is none
	New     string `json:"new"`
	Source  Text   `json:"source"`
}

// A Hop is one call before and after.
type Hop struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Change Kind    `json:"change"`
	Worst  *Span   `json:"worst"` // how long the callee can take; nil where it is the same
	Sum    Text    `json:"sum"`   // what Worst is made of
	Pool   *Pool   `json:"pool"`  // nil where it is the same
	Limits []Limit `json:"limits"`
}

// A Pool is the pool of a call before and after, nil where there is none.
type Pool struct {
	Old *report.Pool `json:"old"`
	New *report.Pool `json:"new"`
}

// A Limit is one timer before and after, nil where there is none.
type Limit struct {
	Kind   string        `json:"kind"`
	Side   string        `json:"side"`
	Change Kind          `json:"change"`
	Old    *report.Limit `json:"old"`
	New    *report.Limit `json:"new"`
}

// A Fault is one thing going wrong, with what it came to and comes to.
type Fault struct {
	Fault string          `json:"fault"`
	From  string          `json:"from"`
	To    string          `json:"to"`
	Text  string          `json:"text"`
	Old   *report.Outcome `json:"old"` // nil where the fault could not happen
	New   *report.Outcome `json:"new"`
	Sees  Text            `json:"sees"` // the outcomes in words
}

// Compare gives what differs. Stacks belong together by directory and name, else
// by one of the two where nothing else has it.
func Compare(oldName, newName string, olds, news []Stack) *Diff {
	pairs := Match(olds, news)
	d := &Diff{SchemaVersion: schemaVersion, Old: oldName, New: newName, Compared: len(pairs), Stacks: []Pair{}}
	for _, m := range pairs {
		if p, differs := PairOf(m.Old, m.New); differs {
			d.Stacks = append(d.Stacks, p)
		}
	}
	return d
}

// PairOf compares one stack; o or n is nil where there is none.
func PairOf(o, n *Stack) (p Pair, differs bool) {
	p = Pair{Change: Changed, Findings: []Finding{}, Routes: []Route{}}
	var or, nr []*chain.Route
	if o != nil {
		p.Stack, p.Dir.Old = o.Stack.Name, o.Dir
		or = o.Stack.Routes
	}
	if n != nil {
		p.Stack, p.Dir.New = n.Stack.Name, n.Dir
		nr = n.Stack.Routes
	}
	switch {
	case o == nil:
		p.Change = New
	case n == nil:
		p.Change = Gone
	case o.Stack.Name != n.Stack.Name:
		p.Name = &Text{o.Stack.Name, n.Stack.Name}
	}
	before, after := reports(o), reports(n)
	p.Routes = append(p.Routes, routes(or, nr, before, after, [2]func(string) string{o.named(), n.named()})...)
	p.Findings = append(p.Findings, findings(o, n, before, after)...)
	return p, p.Change != Changed || p.Name != nil || p.Dir.Old != p.Dir.New || len(p.Routes)+len(p.Findings) > 0
}

// reports are the routes of a stack as a report has them.
func reports(s *Stack) []report.Route {
	if s == nil {
		return nil
	}
	r := report.New()
	r.Add(s.Stack)
	named := s.named()
	for i := range r.Routes {
		for _, h := range r.Routes[i].Hops {
			for n := range h.Limits {
				h.Limits[n].File = named(h.Limits[n].File)
			}
		}
	}
	return r.Routes
}

func (s *Stack) named() func(string) string {
	if s == nil || s.Named == nil {
		return func(file string) string { return file }
	}
	return func(file string) string {
		if file == "" {
			return ""
		}
		return s.Named(file)
	}
}
