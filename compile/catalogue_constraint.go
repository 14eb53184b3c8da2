package compile

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

// A constraint is what CUE demands of a value besides its kind. The common
// forms are kept as data, which checks a value without unifying it and can say
// in words what is wrong; anything else is left to CUE.
type constraint struct {
	bounds  []numberEdge
	pattern *regexp.Regexp
	strings bool     // a list of strings
	enum    []string // a list of these strings
	full    bool     // only unification can tell
}

type numberEdge struct {
	op    cue.Op
	limit float64
	text  string
}

// constraintOf reads a constraint; nil demands nothing but the kind.
func constraintOf(e expr) *constraint {
	c := &constraint{}
	c.add(e)
	if len(c.bounds) == 0 && c.pattern == nil && !c.strings && c.enum == nil && !c.full {
		return nil
	}
	return c
}

func (c *constraint) add(e expr) {
	parts := e.parts
	switch e.op {
	case cue.AndOp:
		for _, p := range parts {
			c.add(exprOf(p))
		}
	case cue.OrOp:
		c.add1of(e)
	case cue.GreaterThanOp, cue.GreaterThanEqualOp, cue.LessThanOp, cue.LessThanEqualOp:
		n, err := parts[0].Float64()
		if err != nil {
			c.full = true
			return
		}
		c.bounds = append(c.bounds, numberEdge{e.op, n, fmt.Sprint(parts[0])})
	case cue.RegexMatchOp:
		text, err := parts[0].String()
		re, err2 := regexp.Compile(text)
		if err != nil || err2 != nil || c.pattern != nil {
			c.full = true
			return
		}
		c.pattern = re
	case cue.NoOp:
		if e.v.IncompleteKind() == cue.ListKind {
			c.list(e.v.LookupPath(cue.MakePath(cue.AnyIndex)))
		}
	default:
		c.full = true
	}
}

// add1of takes a disjunction: of an enum or of plain kinds nothing is left to
// ask, and of one number and one text each part speaks of its own kind only.
func (c *constraint) add1of(e expr) {
	if e.enum() != nil {
		return
	}
	seen := cue.Kind(0)
	for _, p := range e.parts {
		if seen&p.IncompleteKind() != 0 {
			c.full = true
		}
		seen |= p.IncompleteKind()
		c.add(exprOf(p))
	}
}

// list takes what a list demands of its elements.
func (c *constraint) list(elem cue.Value) {
	e := exprOf(elem)
	plain := e.op == cue.NoOp && !referenced(elem).Exists()
	switch {
	case e.enum() != nil:
		c.enum = e.enum()
	case elem.IncompleteKind() == cue.StringKind && plain:
		c.strings = true
	case elem.IncompleteKind() == cue.StringKind|cue.StructKind:
		// Addresses, as texts or with their parameters: elementText reads both.
	default:
		c.full = true
	}
}

// element is what a list takes instead of v; "" if it takes v.
func (c *constraint) element(v cue.Value) string {
	if c == nil || !c.strings && c.enum == nil {
		return ""
	}
	s, err := concrete(v).String()
	switch {
	case c.enum != nil && !slices.Contains(c.enum, s):
		return list(quoted(c.enum), "or")
	case err != nil:
		return "strings"
	}
	return ""
}

// number says why n is not taken: "must be at least 1"; "" if it is.
func (c *constraint) number(n float64) string {
	if c == nil {
		return ""
	}
	for _, b := range c.bounds {
		switch {
		case b.op == cue.GreaterThanEqualOp && n < b.limit:
			return "must be at least " + b.text
		case b.op == cue.LessThanEqualOp && n > b.limit:
			return "must be at most " + b.text
		case b.op == cue.GreaterThanOp && n <= b.limit:
			return "must be more than " + b.text
		case b.op == cue.LessThanOp && n >= b.limit:
			return "must be less than " + b.text
		}
	}
	return ""
}

// matches reports whether a text has the form that is asked for.
func (c *constraint) matches(text string) bool {
	return c == nil || c.pattern == nil || c.pattern.MatchString(text)
}

// needsCUE reports whether only unification can tell.
func (c *constraint) needsCUE() bool { return c != nil && c.full }

// wholeNumber is the text of a CUE number as int64, if it is one that fits.
func wholeNumber(text string) (int64, bool) {
	n, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 0)
	if !ok || !n.IsInt64() {
		return 0, false
	}
	return n.Int64(), true
}
