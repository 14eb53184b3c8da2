package format

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// jsonFormat gathers everything, because the object is sorted as a whole.
type jsonFormat struct {
	w   io.Writer
	out jsonOutput
}

func newJSON(w io.Writer, _ Options) Formatter {
	return &jsonFormat{w: w, out: jsonOutput{
		SchemaVersion: schemaVersion,
		Findings:      []jsonFinding{}, Errors: []jsonError{}, NotChecked: []jsonNotChecked{}, Skipped: []jsonSkip{},
	}}
}

func (f *jsonFormat) Stack(r Result) error {
	prints := Fingerprints(r.Findings)
	for i := range r.Findings {
		f.out.Findings = append(f.out.Findings, findingJSON(&r.Findings[i], prints[i]))
	}
	f.errors(r.Unit.Errors)
	if r.Moved != nil {
		f.out.Moved = append(f.out.Moved, *r.Moved)
	}
	for _, n := range notChecked(r.Unit.Stack) {
		f.out.NotChecked = append(f.out.NotChecked, jsonNotChecked{n.stack, n.Route, n.Layer, n.Setting, n.Reason})
	}
	return nil
}

func (f *jsonFormat) errors(errs []compile.Error) {
	for _, e := range errs {
		f.out.Errors = append(f.out.Errors, jsonError{e.Range.File, e.Range.Line, e.Range.Column, e.Message})
	}
}

func (f *jsonFormat) Close(s compile.Summary) error {
	f.errors(s.Errors)
	for _, x := range s.Skipped {
		f.out.Skipped = append(f.out.Skipped, jsonSkip{x.Path, x.Reason})
	}
	slices.SortStableFunc(f.out.Findings, func(a, b jsonFinding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule))
	})
	slices.SortStableFunc(f.out.Errors, func(a, b jsonError) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return writeJSON(f.w, f.out)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func findingJSON(f *check.Finding, fingerprint string) jsonFinding {
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Stack: f.Stack, Owner: f.Owner,
		jsonRange: rangeJSON(f.Pos), Routes: append([]string{}, f.Routes...),
		Layer: f.Layer, Setting: f.Setting, Message: f.Message, Label: f.Label,
		Related: []jsonRelated{}, Trace: []jsonEvent{}, Fixes: []jsonFix{}, Fingerprint: fingerprint,
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, jsonRelated{rangeJSON(r.Pos), r.Message})
	}
	if f.Trace != nil {
		out.Fault, out.Trace = f.Trace.Fault.Text(), eventsJSON(f.Trace)
	}
	if end := f.End(); end != nil {
		out.Outcome = outcomeJSON(*end)
	}
	for _, fix := range f.Fixes {
		out.Fixes = append(out.Fixes, fixJSON(fix))
	}
	return out
}

func eventsJSON(t *chain.Trace) []jsonEvent {
	out := []jsonEvent{}
	for _, e := range whole(t).Events {
		j := jsonEvent{At: chain.Format(e.At), Event: e.Text()}
		if e.Node != nil {
			j.Layer = e.Node.Layer
		}
		if e.Limit != nil {
			j.Setting = e.Limit.Origin.Setting
		}
		out = append(out, j)
	}
	return out
}

func outcomeJSON(o chain.Outcome) *jsonOutcome {
	out := &jsonOutcome{Error: o.Error, At: chain.Format(o.At), Cut: o.Cut, Unless: o.Unless}
	if o.Status != 0 {
		out.Status = &o.Status
	}
	if o.From != nil {
		out.From = o.From.Layer
	}
	return out
}

func fixJSON(fix check.Fix) jsonFix {
	out := jsonFix{Message: fixMessage(fix), Edits: []jsonEdit{}}
	for _, e := range fix.Edits {
		out.Edits = append(out.Edits, jsonEdit{
			File:  e.Range.File,
			Start: jsonPosition{e.Range.Line, e.Range.Column}, End: jsonPosition{e.Range.EndLine, e.Range.EndColumn},
			NewText: e.NewText,
		})
	}
	return out
}
