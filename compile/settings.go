package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/schema"
)

// A SettingDoc is what the catalogue says of one setting, for explain, for the
// settings command and for docs/settings.md.
type SettingDoc struct {
	ID       string   // "nginx.proxy_read_timeout"
	Category string   // of its type: "layer", "server", "client", "wrap", "platform" or "kernel"
	Type     string   // the type's key: "nginx"
	Title    string   // the type's name for people: "NGINX"
	Paths    []string // where it can be written, behind the type: "server.proxy_read_timeout", "location.<path>.proxy_read_timeout"
	Doc      string   // what it bounds
	Bounds   []string // one line for each limit or number that it is
	Takes    string   // its notation or its words
	Defaults []string // each with its condition: "1.1 from 1.29.7 on"
	Zero     string   // "0 is infinite"
	Scope    string
	Range    string
	Aliases  []string
	Source   string // URL
	Proof    string // "proved", "sourced", or "declared" by the team, without a source
	Fixed    bool   // the platform's own; it cannot be written
}

// builtin is the catalogue that explain and settings read, made at first use.
var builtin = sync.OnceValue(func() *catalogue { return newCatalogue(schema.FS) })

// TypeKeys are the keys of all types of a category, sorted.
func TypeKeys(category string) []string { return builtin().keys(category) }

// Categories are the categories of types, in the order of a request's way, what
// layers run on, and the operating system below them all, which nobody writes into
// a stack.
var Categories = []string{"layer", "server", "client", "wrap", "platform", "kernel"}

// LayerType is a layer's type of the catalogue; nil if there is none of the key.
// It is shared and must not be changed.
func LayerType(key string) *Type {
	if !builtin().has("layer", key) {
		return nil
	}
	t, err := builtin().typ("layer", key)
	if err != nil {
		return nil
	}
	return t
}

// Settings are the settings of the types with a key, in every category that has
// it, in the schema's order. The error is of a catalogue that cannot be read.
func Settings(key string) ([]SettingDoc, error) { return documented(key, false) }

// Sayable is Settings with all else that a stack can say of the types, as their version.
func Sayable(key string) ([]SettingDoc, error) { return documented(key, true) }

func documented(key string, every bool) ([]SettingDoc, error) {
	var out []SettingDoc
	for _, category := range Categories {
		if !builtin().has(category, key) {
			continue
		}
		t, err := builtin().typ(category, key)
		if err != nil {
			return nil, err
		}
		out = append(out, settingsOf(t, every)...)
	}
	return out, nil
}

// FactTypes are what a stack says of besides products: a layer, whatever its type, a
// route, the policy, an entry of what that ignores, a call that an app makes, and itself.
var FactTypes = []string{"layer", "route", "policy", "ignore", "call", "stack"}

// Facts are what a stack can say of one of FactTypes, in the schema's order; the settings
// of what a layer runs on are those of a type of their own. The error is of a catalogue
// that cannot be read.
func Facts(of string) ([]SettingDoc, error) {
	t, err := builtin().typ("facts", of)
	if err != nil {
		return nil, err
	}
	root := *t.Root
	root.Fields = nil
	for _, f := range t.Root.Fields {
		switch {
		case builtin().has("platform", f.Name):
			continue
		case f.Elem != nil && len(f.Elem.Fields) > 0: // of layers, which are facts of their own
			block := *f
			block.Elem, block.Kinds = nil, []string{"a block by name"}
			f = &block
		}
		root.Fields = append(root.Fields, f)
	}
	l := &lister{typ: t, at: map[string]int{}, every: true}
	l.walk(&root, "", "")
	return l.out, nil
}

func settingsOf(t *Type, every bool) []SettingDoc {
	l := &lister{typ: t, at: map[string]int{}, every: every, declared: declares(t.Root)}
	l.walk(t.Root, "", "")
	return l.out
}

// A lister collects the settings of one type; those of an inherited block are
// one setting with several blocks.
type lister struct {
	typ      *Type
	out      []SettingDoc
	at       map[string]int
	every    bool // what counts in no time, as a version, too
	declared bool // the type is of no product
}

// declares reports whether a type is of no product: nothing of it has a source,
// since all of it is said by a team of its own system.
func declares(f *Field) bool {
	return f == nil || f.DocURL == "" && !slices.ContainsFunc(f.Fields, func(c *Field) bool { return !declares(c) }) && (f.Elem == nil || declares(f.Elem))
}

// walk lists what is below a field, which stands at path; doc is the comment of the
// nearest struct around it that has one, for what has none of its own.
func (l *lister) walk(f *Field, path, doc string) {
	if f == nil {
		return
	}
	if path != "" && f.Doc != "" {
		doc = f.Doc
	}
	for _, child := range f.Fields {
		at := pathText([]string{child.Name})
		if path != "" {
			at = path + "." + at
		}
		if child.leaf() || l.every && len(child.Fields) == 0 && child.Elem == nil {
			l.leaf(child, at, doc)
			continue
		}
		l.walk(child, at, doc)
		switch elem := child.Elem; {
		case elem == nil:
		case child.Keyed == "list":
			l.walk(elem, at+indexed(0), cmp.Or(child.Doc, doc))
		case elem.leaf():
			l.leaf(elem, at+".<"+keyWord(child)+">", doc)
		default:
			l.walk(elem, at+".<"+keyWord(child)+">", cmp.Or(child.Doc, doc))
		}
	}
}

func (l *lister) leaf(f *Field, path, doc string) {
	if i, ok := l.at[f.ID]; ok {
		l.out[i].Paths = append(l.out[i].Paths, path)
		return
	}
	if f.Notation == nil { // else it says how durations are written
		doc = cmp.Or(f.Means, doc)
	}
	doc = cmp.Or(f.Doc, doc)
	if f.Limits == nil && f.Size == nil && f.Retry == nil && f.Defaults == nil && f.Fixed == "" && f.DocURL == "" && !l.every && !(l.declared && doc != "") {
		return // a version or a path: nothing that counts
	}
	d := SettingDoc{
		ID: f.ID, Category: l.typ.Category, Type: l.typ.Key, Title: l.typ.Title, Doc: doc,
		Bounds: bounds(f), Takes: takes(f), Defaults: defaults(f), Zero: zero(f), Scope: f.Scope, Paths: []string{path},
		Aliases: f.Aliases, Source: f.DocURL, Proof: "sourced", Fixed: f.Fixed != "",
	}
	switch {
	case f.Proof != "":
		d.Proof = "proved"
	case f.DocURL == "":
		d.Proof = "declared"
	}
	if f.Min != "" {
		d.Range = f.Min + " to " + f.Max
	}
	l.at[f.ID] = len(l.out)
	l.out = append(l.out, d)
}

func bounds(f *Field) []string {
	var out []string
	for _, l := range f.Limits {
		out = append(out, limitText(l))
	}
	if f.Size != nil {
		out = append(out, string(f.Size.Kind))
	}
	if f.Retry != nil {
		out = append(out, string(chain.RetryConditions))
	}
	return out
}

// limitText is a limit in words: "response-header: from request-sent to header-end; then 504".
func limitText(l LimitSpec) string {
	text := string(l.Kind)
	if l.Start != l.End {
		text += fmt.Sprintf(": from %s to %s", l.Start, l.End)
	}
	if l.Reset != chain.ResetNone {
		text += ", again from each " + string(l.Reset)
	}
	if l.Per != chain.PerAttempt {
		text += ", for each " + string(l.Per)
	}
	if l.Fires != "" {
		text += "; then " + firesText(l.Fires)
	}
	if len(l.If) > 0 {
		text += "; if " + strings.Join(l.If, " and ")
	}
	return text
}

func firesText(f chain.Fires) string {
	switch f {
	case chain.FiresError:
		return "an error in the caller's code"
	case chain.FiresClose:
		return "the connection is closed without an answer"
	case chain.FiresKill:
		return "the worker is killed"
	case chain.FiresCut:
		return "a response that has begun is cut"
	case chain.FiresEvent:
		return "the program is told, and nothing ends"
	case chain.FiresCancel:
		return "the callee is asked to cancel; the wait for one that is silent goes on"
	}
	return string(f)
}

func takes(f *Field) string {
	switch {
	case f.Fixed != "":
		return "nothing: it is fixed"
	case f.onlyStruct():
		return "a block"
	case f.Notation != nil:
		return f.Notation.Name + ", as " + f.Notation.Example
	case len(f.Enum) > 0:
		return strings.Join(f.Enum, ", ")
	case f.Retry != nil && len(f.Retry.Tokens) > 0:
		var words []string
		for _, t := range f.Retry.Tokens {
			words = append(words, t.Word)
		}
		return "a list of " + strings.Join(words, ", ")
	}
	return strings.Join(f.Kinds, " or ")
}

func defaults(f *Field) []string {
	if f.Fixed != "" {
		return []string{f.Fixed}
	}
	var out []string
	for _, d := range f.Defaults {
		line := sayDefault(f, d.Value)
		if d.From != "" {
			line = "that of " + d.From
		}
		if d.Since != "" {
			line += " from " + d.Since + " on"
		}
		if d.Until != "" {
			line += " before " + d.Until
		}
		if when, not := strings.CutPrefix(d.When, "!"); not {
			line += " without " + when
		} else if when != "" {
			line += " with " + when
		}
		out = append(out, line)
	}
	return out
}

// sayDefault is a default in words: a text that is empty is "".
func sayDefault(f *Field, text string) string {
	if text == "" && f.takes("string") && !f.takes("list") {
		return `""`
	}
	return text
}

func zero(f *Field) string {
	var parts []string
	if f.Zero != "" {
		parts = append(parts, "0 is "+f.Zero)
	}
	if f.Negative != "" {
		parts = append(parts, "a negative value is "+f.Negative)
	}
	if f.Cap != "" {
		parts = append(parts, fmt.Sprintf("above %s it has no effect: %s", f.Cap, f.CapWhy))
	}
	if o := f.Overflow; o.Above != "" {
		parts = append(parts, fmt.Sprintf("above %s it acts as %s: %s", o.Above, o.As, o.Why))
	}
	return strings.Join(parts, "; ")
}
