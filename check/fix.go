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
func setNumber(o chain.Origin, n int) (f Fix, ok bool) {
	if o.Place == nil {
		return Fix{}, false
	}
	bare := *o.Place // a notation with units would quote it
	bare.Before, bare.After = strings.TrimSuffix(bare.Before, `"`), strings.TrimPrefix(bare.After, `"`)
	o.Place = &bare
	return write(o, fmt.Sprint(n)), true
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
// with the edits applied, and a fix holds if its finding is gone and no finding
// of equal or higher severity has come, nor any value that is not taken. At most one fix in eight of a finding
// is looked for in vain; a stack that cannot be read any more drops the fix. It
// gives up between two fixes once ctx has ended, with ctx's error: what was not
// tried is then among them.
func Verify(ctx context.Context, findings []Finding, try func([]chain.Edit) ([]Finding, error)) error {
	for i := range findings {
		f := &findings[i]
		var kept []Fix
		for _, fix := range f.Fixes {
			if err := ctx.Err(); err != nil {
				return err
			}
			after, err := try(fix.Edits)
			if err == nil && holds(*f, findings, after) {
				kept = append(kept, fix)
			}
		}
		f.Fixes = kept
	}
	return ctx.Err()
}

func holds(f Finding, before, after []Finding) bool {
	for _, a := range after {
		if sameCause(a, f) {
			return false
		}
		if a.Severity >= f.Severity && !has(before, a) || a.Rule == rejected.ID && !said(before, a) {
			return false
		}
	}
	return true
}

// said reports whether a finding was there with the same words. A value that is not
// taken is no better for being another one.
func said(fs []Finding, f Finding) bool {
	return slices.ContainsFunc(fs, func(g Finding) bool { return sameCause(g, f) && g.Message == f.Message })
}

func has(fs []Finding, f Finding) bool {
	for _, g := range fs {
		if sameCause(g, f) {
			return true
		}
	}
	return false
}

// sameCause compares what does not move with an edit.
func sameCause(a, b Finding) bool {
	return a.Rule == b.Rule && a.Layer == b.Layer && a.Setting == b.Setting && a.Stack == b.Stack
}
