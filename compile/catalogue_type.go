package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// A typeReader reads one type from its constraint and collects what is wrong
// with its attributes.
type typeReader struct {
	typ  *Type
	errs []error
	ids  []string             // of the fields that are being read, the innermost last
	from map[string]cue.Value // of a team's own type, the constraint of each setting by its id
	// real finds a definition of the schema by name. A stack that imports the
	// schema sees only stand-ins; nil for types of the schema itself.
	real func(name string) cue.Value
	// forms are what definitions of single values demand, by name: many fields, and
	// many types of a schema, refer to a few of them.
	forms map[string]valueForm
}

// readType reads the type that v registers. Every error is a mistake in the
// schema, or in a team's own `types`. forms are those that are known, and gets more.
func readType(category, key string, v cue.Value, forms map[string]valueForm) (*Type, []error) {
	return (&typeReader{typ: &Type{Category: category, Key: key, Title: key}, forms: forms}).read(v)
}

func (r *typeReader) read(v cue.Value) (*Type, []error) {
	r.typ.Doc = docText(v)
	if def := referenced(v); def.Exists() {
		r.typ.Doc = docText(def)
	}
	if r.typ.Category == "client" {
		r.typ.Kernel = kernelOfApps
	}
	attrs := v.Attributes(cue.FieldAttr)
	for _, a := range attrs {
		r.attribute(a)
	}
	r.typ.Root = r.field(spot{id: r.typ.Key, below: r.typ.Key}, v, attrs)
	r.refers()
	if r.typ.Category == "client" {
		tellApart(r.typ)
	}
	r.typ.Boundaries = boundaries(r.typ.Root)
	return r.typ, r.errs
}

// tellApart lets messages name a setting with its block where one at the top of
// the type has the same name: agent.timeout beside timeout.
func tellApart(t *Type) {
	var walk func(f *Field, depth int)
	walk = func(f *Field, depth int) {
		if top := t.Root.child(f.Name); depth > 1 && top != nil && len(top.Fields) == 0 && top.Elem == nil {
			f.Said = strings.TrimPrefix(f.ID, t.Key+".")
		}
		for _, c := range f.Fields {
			walk(c, depth+1)
		}
	}
	walk(t.Root, 0)
}

// said is what messages call a setting that stands under a name.
func (f *Field) said(name string) string { return cmp.Or(f.Said, name) }

func (r *typeReader) fail(a cue.Attribute, format string, args ...any) {
	err := fmt.Errorf("@%s(%s): %s", a.Name(), a.Contents(), fmt.Sprintf(format, args...))
	id := ""
	if n := len(r.ids); n > 0 {
		id = r.ids[n-1]
	}
	r.errs = append(r.errs, &fieldError{id, err})
}

func (r *typeReader) attribute(a cue.Attribute) {
	t := r.typ
	arg, _ := argOf(a, 0)
	switch a.Name() {
	case "title":
		t.Title = arg
	case "names":
		t.Names = arg
	case "whole":
		t.Whole = arg
	case "resolver":
		t.Resolver = arg
	case "onebyone":
		t.OneByOne = true
	case "dialson":
		t.DialsOn = true
	case "redirects":
		n, err := strconv.Atoi(arg)
		if t.Follows = n; err != nil || n < 1 {
			r.fail(a, "is the most that it follows")
		}
	case "readsbody":
		t.Reads = true
	case "returns":
		t.Returns = true
		r.oneOf(a, arg, "statuses")
		if doc, _, _ := a.Lookup(1, "doc"); doc == "" {
			r.fail(a, "has no source")
		}
	case "inturn":
		t.InTurn = true
	case "kernel":
		t.Kernel = arg
		r.oneOf(a, arg, kernelOfApps)
	case "role":
		t.Role = chain.Role(arg)
		r.oneOf(a, arg, "caller", "passing", "buffering", "leaf", "unknown")
	case "cancel":
		t.Cancel = chain.Cancel(arg)
		r.oneOf(a, arg, "propagates", "ignored", "on-write")
	case "honours":
		t.Honours = true
		r.oneOf(a, arg, "keep-alive")
		r.less(a)
	case "answers":
		r.answers(a)
	case "parts":
		t.Server, _, _ = a.Lookup(0, "server")
		t.Client, _, _ = a.Lookup(0, "client")
	case "nophase":
		if m, ok := r.phase(a, arg); ok {
			t.NoPhase = append(t.NoPhase, m)
		}
	case "unbounded":
		why, _ := argOf(a, 1)
		if why == "" {
			r.fail(a, "has no reason")
		}
		if m, ok := r.phase(a, arg); ok {
			t.Phases = append(t.Phases, chain.Unbounded{Phase: m, Reason: why})
		}
	case "resend":
		r.resend(a)
	default:
		r.leafAttributeOfType(a)
	}
}

// less reads by how much a product gives up before an announced time.
func (r *typeReader) less(a cue.Attribute) {
	for i := 1; i < a.NumArgs(); i++ {
		key, text := argOf(a, i)
		d, err := fixedNotation.Parse(text)
		if key != "less" || err != nil {
			r.fail(a, "%s=%s is not less=DURATION", key, text)
		}
		r.typ.Less = d
	}
}

// leafAttributeOfType takes what a type may carry because it is itself one
// field, such as `unknown?: string`; the field's own reader judges it.
func (r *typeReader) leafAttributeOfType(a cue.Attribute) {
	if !slices.Contains(fieldAttributes, a.Name()) {
		r.fail(a, "is no attribute of a type")
	}
}

func (r *typeReader) oneOf(a cue.Attribute, got string, words ...string) bool {
	if !slices.Contains(words, got) {
		r.fail(a, "%q is none of %s", got, strings.Join(words, ", "))
		return false
	}
	return true
}

// answers reads statuses that are known from one place; a type has as many
// such attributes as it has places.
func (r *typeReader) answers(a cue.Attribute) {
	from := map[string]string{}
	for _, word := range []string{"doc", "proof", "as"} {
		from[word], _, _ = a.Lookup(0, word)
	}
	where := cmp.Or(from["doc"], from["proof"])
	if from["as"] != "" {
		where += " of " + from["as"]
	}
	for i := range a.NumArgs() {
		cond, text := argOf(a, i)
		if _, ok := from[cond]; ok {
			continue
		}
		status, err := strconv.Atoi(text)
		if text == "close" {
			status, err = 0, nil
		}
		if err != nil || !knownCond(cond) {
			r.fail(a, "%s=%s is no condition with a status", cond, text)
			continue
		}
		r.typ.Answers = append(r.typ.Answers, chain.Answer{Cond: chain.Cond(cond), Status: status})
		r.typ.AnswersFrom = append(r.typ.AnswersFrom, where)
	}
}

// phase reads the end of a phase: a moment, or a kind for the moment at which
// its timer ends.
func (r *typeReader) phase(a cue.Attribute, word string) (chain.Moment, bool) {
	if p, ok := chain.PresetOf(chain.Kind(word)); ok {
		return p.End, true
	}
	m, ok := chain.MomentNamed(word)
	if !ok {
		r.fail(a, "%q is neither a kind nor a moment", word)
	}
	return m, ok
}

// resend reads what the product repeats by itself; attempts are the repeats,
// unset one.
func (r *typeReader) resend(a cue.Attribute) {
	re := &chain.Retry{Hidden: true}
	repeats := 1
	for i := range a.NumArgs() {
		key, text := argOf(a, i)
		switch key {
		case "methods":
			if text != "any" {
				re.OnMethods = strings.Fields(text)
			}
		case "on":
			re.On = r.conds(a, text)
		case "keys":
			r.typ.ResendKeys = strings.Fields(text)
		case "listed":
			r.typ.ResendListed = true
		case "attempts":
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				r.fail(a, "attempts is no number")
			}
			repeats = n
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
	re.Attempts.N = 1 + repeats
	r.typ.Resend = re
}

func (r *typeReader) conds(a cue.Attribute, text string) []chain.Cond {
	var out []chain.Cond
	for _, w := range strings.Fields(text) {
		if !knownCond(w) {
			r.fail(a, "%q is no condition", w)
		}
		out = append(out, chain.Cond(w))
	}
	return out
}

var condNames = []chain.Cond{
	chain.CondPoolTimeout, chain.CondDNSTimeout, chain.CondConnectTimeout, chain.CondRefused, chain.CondTLSTimeout,
	chain.CondWriteTimeout, chain.CondTimeout, chain.CondReset, chain.CondStale, chain.CondCut, chain.CondDeadline,
	chain.CondKilled, "eject",
}

// knownCond reports whether a word is a way to fail, or a status.
func knownCond(word string) bool {
	n, err := strconv.Atoi(word)
	return slices.Contains(condNames, chain.Cond(word)) || err == nil && n >= 100 && n <= 599
}
