package main

import (
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// catalogueTypes are all types of the schema. It is nil until package compile
// gives them out.
var catalogueTypes func() ([]*compile.Type, error)

func explainSetting(w io.Writer, id string) error {
	if catalogueTypes == nil {
		return usagef("settings cannot be explained yet: %q", id)
	}
	types, err := catalogueTypes()
	if err != nil {
		return err
	}
	var ids []string
	for _, t := range types {
		for _, f := range leaves(t.Root) {
			if f.ID == id {
				_, err := io.WriteString(w, settingText(t, f))
				return err
			}
			ids = append(ids, f.ID)
		}
	}
	return unknown("setting", id, ids)
}

// leaves are the settings of a struct and of all that is in it, in order.
func leaves(f *compile.Field) []*compile.Field {
	if f == nil {
		return nil
	}
	if len(f.Fields) == 0 && f.Elem == nil {
		return []*compile.Field{f}
	}
	var out []*compile.Field
	for _, sub := range f.Fields {
		out = append(out, leaves(sub)...)
	}
	return append(out, leaves(f.Elem)...)
}

func settingText(t *compile.Type, f *compile.Field) string {
	var b strings.Builder
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", what, text)
		}
	}
	title := t.Title
	if f.Block != "" {
		title += ", block " + f.Block
	}
	fmt.Fprintf(&b, "%s: a setting of %s\n\n", f.ID, title)
	if f.Doc != "" {
		b.WriteString(fill(f.Doc, 80) + "\n\n")
	}
	line("takes", takes(f))
	for _, l := range f.Limits {
		line("bounds", limitSpecText(l))
	}
	if f.Size != nil {
		line("is", string(f.Size.Kind))
	}
	for _, d := range f.Defaults {
		line("default", defaultText(d))
	}
	line("fixed", f.Fixed)
	line("zero", f.Zero)
	line("negative", f.Negative)
	line("scope", f.Scope)
	line("cap", strings.Trim(f.Cap+", "+f.CapWhy, ", "))
	line("known", proofText(f.Proof))
	line("doc", f.DocURL)
	return b.String()
}

func takes(f *compile.Field) string {
	var text string
	switch {
	case f.Fixed != "":
		return ""
	case f.Notation != nil:
		text = f.Notation.Name + ", such as " + f.Notation.Example
	case len(f.Enum) > 0:
		text = list(f.Enum)
	default:
		text = list(f.Kinds)
	}
	switch {
	case f.Min != "" && f.Max != "":
		text += ", from " + f.Min + " to " + f.Max
	case f.Min != "":
		text += ", from " + f.Min
	case f.Max != "":
		text += ", to " + f.Max
	}
	return text
}

func limitSpecText(l compile.LimitSpec) string {
	text := fmt.Sprintf("%s: from %s to %s", l.Kind, l.Start, l.End)
	if l.Reset != chain.ResetNone {
		text += ", again from each " + string(l.Reset)
	}
	if l.Per != chain.PerAttempt {
		text += ", per " + string(l.Per)
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
		return "the program is told and nothing ends"
	}
	return string(f)
}

func defaultText(d compile.DefaultSpec) string {
	text := d.Value
	if d.From != "" {
		text = "that of " + d.From
	}
	if d.Since != "" {
		text += " since " + d.Since
	}
	if when, not := strings.CutPrefix(d.When, "!"); not {
		text += " without " + when
	} else if d.When != "" {
		text += " with " + d.When
	}
	return text
}

func proofText(proof string) string {
	if proof == "" {
		return "from its documentation"
	}
	return "shown by a run of the product"
}
