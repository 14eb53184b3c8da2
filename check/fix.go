package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// set is the fix that gives a setting a duration; ok is false where it cannot
// be written or the notation cannot say it.
func set(o chain.Origin, d time.Duration) (f Fix, ok bool) {
	if o.Place == nil || d < 0 || d == chain.Never {
		return Fix{}, false
	}
	text, err := o.Place.Notation.Format(d)
	if err != nil {
		return Fix{}, false
	}
	return write(o, text), true
}

// setNumber is the fix that gives a setting a number.
func setNumber(o chain.Origin, n int) (f Fix, ok bool) { return setBare(o, fmt.Sprint(n)) }

// setNull is the fix that gives a setting null, the value that lifts it.
func setNull(o chain.Origin) (f Fix, ok bool) { return setBare(o, "null") }

// setBare is the fix that gives a setting a value without quotes.
func setBare(o chain.Origin, text string) (f Fix, ok bool) {
	if o.Place == nil {
		return Fix{}, false
	}
	bare := *o.Place // a notation with units would quote it
	bare.Before, bare.After = strings.TrimSuffix(bare.Before, `"`), strings.TrimPrefix(bare.After, `"`)
	if r := bare.Range; r.EndColumn-r.Column == len([]rune(o.Text))+2 {
		o.Text = `"` + o.Text + `"` // as it is written
	}
	o.Place = &bare
	return write(o, text), true
}

func write(o chain.Origin, text string) Fix {
	edit := o.Place.Edit(text)
	was, now := o.Text, text
	if strings.HasPrefix(o.Place.After, `"`) {
		now = `"` + now + `"`
		if r := edit.Range; r.EndColumn-r.Column == len([]rune(was))+2 {
			was = `"` + was + `"`
		}
	}
	msg := fmt.Sprintf("line %d %s → %s", edit.Range.Line, was, now)
	if edit.Range.Line == edit.Range.EndLine && edit.Range.Column == edit.Range.EndColumn {
		msg = fmt.Sprintf("line %d add %s", edit.Range.Line, strings.Trim(edit.NewText, ", \t\n"))
	}
	return Fix{Message: msg, Edits: []chain.Edit{edit}, origins: []chain.Origin{o}}
}

// both joins fixes that only hold together.
func both(fs ...Fix) Fix {
	var out Fix
	for i, f := range fs {
		if i > 0 {
			out.Message += ", "
		}
		out.Message += f.Message
		if len(fs) > 1 && !strings.Contains(f.Message, f.origins[0].Name) {
			out.Message += " (" + f.origins[0].Name + ")"
		}
		out.origins = append(out.origins, f.origins...)
		out.Edits = append(out.Edits, f.Edits...)
	}
	return out
}

// above is the smallest duration over d that a person would write for the setting.
func above(o chain.Origin, d time.Duration) time.Duration {
	if o.Place == nil || d == chain.Never {
		return chain.Never
	}
	step := o.Place.Notation.Step(d)
	return d/step*step + step
}

// below is the largest duration under d that a person would write for the
// setting; −1 if that is none, or 0, which often is no limit.
func below(o chain.Origin, d time.Duration) time.Duration {
	if o.Place == nil || d <= 0 {
		return -1
	}
	step := o.Place.Notation.Step(d - 1)
	if out := (d - 1) / step * step; out > 0 {
		return out
	}
	return -1
}

// Verify keeps the fixes that hold: try gives the findings of the same stack
// with the edits applied, and a fix holds if its finding is gone and no route has
// one of equal or higher severity that it had not, nor any value that is not taken. Where it has a new warning
// instead of an error, a fix without one is better, and else it says so. At most
// one fix in eight of a finding is looked for in vain; a stack that cannot be read
// any more drops the fix. It gives up between two fixes once ctx has ended, with
// ctx's error: what was not tried is then among them.
func Verify(ctx context.Context, findings []Finding, try func([]chain.Edit) ([]Finding, error)) error {
	for i := range findings {
		f := &findings[i]
		var clean, warned []Fix
		for _, fix := range f.Fixes {
			if err := ctx.Err(); err != nil {
				return err
			}
			after, err := try(fix.Edits)
			if err != nil {
				continue
			}
			switch warnings, ok := holds(*f, findings, after); {
			case !ok:
			case len(warnings) == 0:
				clean = append(clean, fix)
			default:
				warned = append(warned, fix.warns(warnings))
			}
		}
		if f.Fixes = clean; len(clean) == 0 {
			f.Fixes = warned
		}
	}
	return ctx.Err()
}

// warns is the fix with a word of the rules that warn once it is applied.
func (f Fix) warns(rules []string) Fix {
	verb := "warns"
	if len(rules) > 1 {
		verb = "warn"
	}
	if f.After != "" {
		f.After += "; "
	}
	f.After += fmt.Sprintf("%s then %s", strings.Join(rules, " and "), verb)
	return f
}

// said reports whether a finding was there with the same words. A value that is not
// taken is no better for being another one.
func said(fs []Finding, f Finding) bool {
	return slices.ContainsFunc(fs, func(g Finding) bool { return sameCause(g, f) && g.Message == f.Message })
}

// holds reports whether a fix that leads from some findings to others clears f at no
// equal or higher price, and the rules that warn of what they did not before.
func holds(f Finding, before, after []Finding) (warnings []string, ok bool) {
	for _, a := range after {
		switch {
		case stays(f, a), a.Rule == rejected.ID && !said(before, a):
			return nil, false
		case a.Severity < min(f.Severity, Warning) || foundOn(before, a):
		case a.Severity >= f.Severity:
			return nil, false
		case !slices.Contains(warnings, a.Rule):
			warnings = append(warnings, a.Rule)
		}
	}
	return warnings, true
}

// foundOn reports whether every route of a finding had it before, at no lower severity.
func foundOn(before []Finding, f Finding) bool {
	known := false
	left := slices.Clone(f.Routes)
	for _, g := range before {
		if sameCause(g, f) && g.Severity >= f.Severity {
			known = true
			left = slices.DeleteFunc(left, func(r string) bool { return slices.Contains(g.Routes, r) })
		}
	}
	return known && len(left) == 0
}

// sameCause compares what does not move with an edit.
func sameCause(a, b Finding) bool {
	x, y := causeOf(a), causeOf(b)
	x.pos, y.pos = chain.Range{}, chain.Range{}
	return x == y && a.Stack == b.Stack
}

// stays reports whether a finding is there after an edit, on a route of its own.
func stays(f, after Finding) bool {
	return sameCause(f, after) && (len(f.Routes) == 0 || slices.ContainsFunc(f.Routes, func(r string) bool { return slices.Contains(after.Routes, r) }))
}
