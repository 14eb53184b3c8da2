package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// A gift is a value of the command line, for what only CUE can check.
type gift struct {
	path []string
	v    cue.Value
}

// inject takes a value that was given by name on the command line, as if it
// were written where the name is. user is what the stack says there.
func (d *decoder) inject(w *walk, v *Value, user cue.Value, text string) (x cue.Value, ok bool) {
	// A value that the stack fixes is replaced, one that it leaves open or has
	// a default for is narrowed.
	_, open := user.Default()
	open = open || !user.IsConcrete()
	kinds := user.IncompleteKind()
	if !open {
		kinds = cue.TopKind
	}
	x = v.Field.given(contextOf(user), kinds, text)
	if !d.take(v, x) {
		return x, false
	}
	if open {
		if user.Unify(x).Err() != nil {
			shown := shownValue(x)
			if x.Kind() == cue.ListKind {
				shown = strconv.Quote(text)
			}
			return x, d.failure(v)("is %s, which is not %v, as the stack demands", shown, user)
		}
		w.gifts = append(w.gifts, gift{v.Path, x})
	}
	return x, true
}

var (
	wholeText   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	decimalText = regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.[0-9]+$`)
)

// given is a text of the command line as the value that it would be in the
// stack: a number, a bool or a list where the field and the stack take one.
func (f *Field) given(ctx *cue.Context, kinds cue.Kind, text string) cue.Value {
	takes := func(word string, kind cue.Kind) bool { return f.takes(word) && kinds&kind != 0 }
	whole := wholeText.MatchString(text)
	switch {
	case whole && (takes("int", cue.IntKind) || takes("number", cue.FloatKind)),
		decimalText.MatchString(text) && takes("number", cue.FloatKind):
		if n, ok := wholeNumber(text); ok && whole {
			return ctx.Encode(n)
		}
		return ctx.CompileString(text)
	case takes("bool", cue.BoolKind) && (text == "true" || text == "false"):
		return ctx.Encode(text == "true")
	case takes("null", cue.NullKind) && !takes("string", cue.StringKind) && text == "null":
		return ctx.CompileString(text)
	case takes("list", cue.ListKind) && !takes("string", cue.StringKind):
		list := []any{}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			if n, ok := wholeNumber(word); ok && wholeText.MatchString(word) && (f.check == nil || !f.check.strings && f.check.enum == nil) {
				list = append(list, n)
			} else {
				list = append(list, word)
			}
		}
		return ctx.Encode(list)
	}
	return ctx.Encode(text)
}

type failure func(format string, args ...any) bool

// failure reports a mistake in a value. One of the command line is named: it
// does not stand in the stack.
func (d *decoder) failure(v *Value) failure {
	return func(format string, args ...any) bool {
		name, message := v.called(), fmt.Sprintf(format, args...)
		if v.Origin.Source == chain.Injected && strings.ContainsAny(message[:1], `"-0123456789`) {
			name = strings.TrimSuffix(name, ",") + ":"
		}
		d.failValue(v.Path, "%s %s", name, message)
		return false
	}
}

// called is the value's name in a message that goes on with a verb.
func (v *Value) called() string {
	if v.Origin.Source == chain.Injected {
		return v.Origin.Name + ", set by " + v.Inject + ","
	}
	return v.Origin.Name
}

// gifted is a block of the user's with what the command line gave below it.
func (w *walk) gifted(v cue.Value, path []string) cue.Value {
	for _, g := range w.gifts {
		if n := len(path); len(g.path) >= n && slices.Equal(g.path[:n], path) {
			var rest []cue.Selector
			for _, name := range g.path[n:] {
				rest = append(rest, selector(name))
			}
			v = v.FillPath(cue.MakePath(rest...), g.v)
		}
	}
	return v
}
