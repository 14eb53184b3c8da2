package compile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// fieldAttributes are all that a field of the catalogue may carry.
var fieldAttributes = slices.Concat(flagAttributes, []string{
	"limit", "size", "retry", "token", "default", "zero", "negative", "fixed", "range", "cap", "overflow", "scope", "suspect",
	"alias", "doc", "proof", "block", "cancels", "time", "null", "backoff",
})

// flagAttributes are kept in Field.Flags as they are: by name, and with what
// they say where they say something, "holdsback=on".
var flagAttributes = []string{"addresses", "announces", "collects", "followed", "follows", "hijacked", "holdsback", "millis", "probed", "upgraded", "websocket", "wholeanswer"}

func (r *typeReader) fieldAttribute(f *Field, a cue.Attribute) {
	arg, _ := argOf(a, 0)
	switch a.Name() {
	case "limit":
		r.limit(f, a)
	case "size":
		r.size(f, a)
	case "retry":
		r.retry(f, a)
	case "token":
		r.tokens(f, a)
	case "default":
		r.defaults(f, a)
	case "zero":
		f.Zero = arg
		f.ZeroWhy = second(a)
		r.oneOf(a, arg, "infinite", "at-once", "off", "default", "invalid")
	case "negative":
		f.Negative = arg
		f.NegativeWhy = second(a)
		r.oneOf(a, arg, "infinite", "at-once", "off", "default", "invalid")
	case "null":
		f.Null = arg
		r.oneOf(a, arg, "infinite", "off")
	case "backoff":
		r.backoff(f, a)
	case "fixed":
		f.Fixed = arg
	case "range":
		f.Min = arg
		if f.Max = second(a); arg == "" || f.Max == "" {
			r.fail(a, "takes the least value and the most")
			f.Min, f.Max = "", ""
		}
	case "cap":
		f.Cap = arg
		f.CapWhy, _ = argOf(a, 1)
	case "overflow":
		f.Overflow.Above = arg
		f.Overflow.As, _ = argOf(a, 1)
		f.Overflow.Why, _ = argOf(a, 2)
	case "scope":
		f.Scope = arg
		r.oneOf(a, arg, "route", "location", "client", "connection", "process")
	case "suspect":
		key, text := argOf(a, 0)
		n, err := strconv.ParseInt(text, 10, 64)
		if key != "below" || err != nil {
			r.fail(a, "is not below=NUMBER")
		}
		f.Suspect = n
	case "alias":
		for i := range a.NumArgs() {
			name, _ := argOf(a, i)
			f.Aliases = append(f.Aliases, name)
		}
	case "doc":
		f.DocURL = arg
		if !strings.HasPrefix(arg, "https://") {
			r.fail(a, "is no https address")
		}
	case "proof":
		f.Proof = arg
		r.oneOf(a, arg, "conformance", "run")
	case "block":
		r.block(f, a)
	case "cancels":
		f.Cancels = map[string]string{}
		for i := range a.NumArgs() {
			word, how := argOf(a, i)
			f.Cancels[word] = how
			r.oneOf(a, how, "propagates", "ignored", "on-write")
		}
	case "time":
	default:
		// In the schema a test finds a name that is not known; a team is told.
		if r.typ.Own && !slices.Contains(flagAttributes, a.Name()) {
			r.fail(a, "is no attribute of the catalogue")
			return
		}
		flag := a.Name()
		if arg != "" {
			flag += "=" + arg
		}
		f.Flags = append(f.Flags, flag)
	}
}

// argOf is one part of an attribute, and its value where it is key=value; "" if it has
// none there, of which CUE makes a panic.
func argOf(a cue.Attribute, i int) (text, value string) {
	if i >= a.NumArgs() {
		return "", ""
	}
	return a.Arg(i)
}

// second is the attribute's second part, "" if it has none.
func second(a cue.Attribute) string {
	text, _ := argOf(a, 1)
	return text
}

func (r *typeReader) limit(f *Field, a cue.Attribute) {
	kind, _ := argOf(a, 0)
	p, ok := chain.PresetOf(chain.Kind(kind))
	if !ok {
		r.fail(a, "%q is no kind", kind)
		return
	}
	l := LimitSpec{Kind: p.Kind, Side: p.Side, Start: p.Start, End: p.End, Reset: p.Reset}
	for i := 1; i < a.NumArgs(); i++ {
		key, text := argOf(a, i)
		switch key {
		case "start", "end":
			m, ok := chain.MomentNamed(text)
			if !ok {
				r.fail(a, "%q is no moment", text)
			}
			if key == "start" {
				l.Start = m
			} else {
				l.End = m
			}
		case "reset":
			l.Reset = chain.Reset(strings.TrimPrefix(text, "none"))
			r.oneOf(a, text, "none", "read", "write")
		case "side":
			l.Side = chain.Side(text)
			r.oneOf(a, text, "call", "serve")
		case "per":
			l.Per = chain.Per(text)
			r.oneOf(a, text, "read", "address", "request", "connection")
		case "fires":
			l.Fires = chain.Fires(text)
			if n, err := strconv.Atoi(text); err != nil || n < 100 || n > 599 {
				r.oneOf(a, text, "error", "close", "kill", "cut", "event", "cancel")
			}
		case "complete":
			l.Complete = true
		case "waits":
			l.Waits = true
		case "if":
			for _, cond := range strings.Split(text, ",") {
				l.If = append(l.If, strings.TrimSpace(cond))
			}
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
	if moved := l.Start != p.Start || l.End != p.End; moved && l.Start >= l.End {
		r.fail(a, "ends at %s, which does not come after %s", l.End, l.Start)
	}
	f.Limits = append(f.Limits, l)
}

func (r *typeReader) size(f *Field, a cue.Attribute) {
	kind, _ := argOf(a, 0)
	if _, ok := chain.PresetOf(chain.Kind(kind)); !ok && !slices.Contains(sizeKinds, kind) {
		r.fail(a, "%q is no kind", kind)
	}
	f.Size = &SizeSpec{Kind: chain.Kind(kind)}
	for i := 1; i < a.NumArgs(); i++ {
		switch key, text := argOf(a, i); {
		case key == "cap" && text == "addresses":
			f.Size.CapAddresses = true
		case key == "h1only":
			f.Size.H1Only = true
		case key == "repeats":
			f.Size.Repeats = true
		case key == "refuses":
			f.Size.Refuses = true
		case key == "connections":
			f.Size.Connections = true
		case key == "exhausted" && text != "":
			f.Size.Exhausted = text
		case key == "answer" && f.Size.Exhausted != "":
			f.Size.ExhaustedAnswer = true
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
}

// sizeKinds are numbers that are kept for emitters and are no kind of the model.
var sizeKinds = []string{"pool-idle-total"}

func (r *typeReader) defaults(f *Field, a cue.Attribute) {
	var d DefaultSpec
	given := false // "" is a value too: a list that is empty
	for i := range a.NumArgs() {
		switch key, text := argOf(a, i); {
		case key == "from":
			d.From = text
		case key == "since", key == "until":
			if key == "since" {
				d.Since = text
			} else {
				d.Until = text
			}
			if !sinceForm.MatchString(text) {
				r.fail(a, "%s is neither a version nor a date", key)
			}
		case key == "when":
			d.When = text
		case i == 0:
			d.Value, given = key, true
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
	if !given && d.From == "" {
		r.fail(a, "has no value")
	}
	f.Defaults = append(f.Defaults, d)
}

var sinceForm = regexp.MustCompile(`^[0-9]+([.-][0-9A-Za-z]+)*$`)

func (r *typeReader) block(f *Field, a cue.Attribute) {
	for i := range a.NumArgs() {
		switch key, text := argOf(a, i); {
		case key == "inherit":
			f.Inherit = true
		case key == "whole":
			f.Whole = true
		case key == "peer", key == "own", key == "list":
			f.Keyed = key
		case key == "key" && (text == "route" || text == "peer"):
			f.Keyed = text
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
}
