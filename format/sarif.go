package format

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot is the base of all names; code scanning knows it as the root of
	// the repository.
	sarifRoot = "%SRCROOT%"
	// sarifPrint names the way in which fingerprints are made; another way needs
	// another name.
	sarifPrint = "tchain/v1"
	// sarifSteps is the most that is told of one trace.
	sarifSteps = 100
)

// sarifFormat gathers one run.
type sarifFormat struct {
	w      io.Writer
	opt    Options
	run    sarifRun
	errors []sarifNotification
	gaps   gaps
}

func newSARIF(w io.Writer, opt Options) Formatter {
	root := &sarifText{Text: "the root of the repository, or the directory that tchain was run in"}
	return &sarifFormat{w: w, opt: opt, run: sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "tchain", Version: opt.Version, Rules: sarifRules()}},
		BaseIDs:    map[string]sarifArtifact{sarifRoot: {Description: root}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}}
}

func (f *sarifFormat) Stack(r Result) error {
	f.mistakes(r.Unit.Errors, r.Unit.Dir)
	all := append(r.Findings[:len(r.Findings):len(r.Findings)], r.Suppressed...)
	prints := Fingerprints(all)
	for i := range all {
		f.run.Results = append(f.run.Results, f.result(r.Unit, &all[i], prints[i]))
	}
	f.gaps.add(notChecked(r.Unit.Stack))
	return nil
}

// Close says under invocations what could not be read and what was not checked.
func (f *sarifFormat) Close(s compile.Summary) error {
	f.mistakes(s.Errors, ".")
	told := append([]sarifNotification{}, f.errors...)
	for _, l := range f.gaps.lines(true) {
		told = append(told, sarifNotification{Level: "note", Message: sarifText{Text: "not checked: " + clean(l)}})
	}
	f.run.Invocations = []sarifInvocation{{len(f.errors) == 0, told}}
	return writeJSON(f.w, sarifLog{sarifSchema, "2.1.0", []sarifRun{f.run}})
}

func (f *sarifFormat) mistakes(errs []compile.Error, dir string) {
	for _, e := range errs {
		f.errors = append(f.errors, sarifNotification{
			Level: "error", Message: sarifText{Text: clean(e.Message)}, Locations: []sarifLocation{f.location(e.Range, dir, "")},
		})
	}
}

func (f *sarifFormat) result(u *compile.Unit, x *check.Finding, print string) sarifResult {
	primary := f.location(x.Pos, u.Dir, x.Label)
	if x.Setting != "" {
		primary.Logical = []sarifLogical{{x.Setting}}
	}
	out := sarifResult{
		RuleID: x.Rule, RuleIndex: ruleIndex(x.Rule), Level: sarifLevel(x.Severity),
		Locations: []sarifLocation{primary}, Fingerprints: map[string]string{sarifPrint: print},
		Suppressions: f.suppressions(u, x.Suppressed), Properties: sarifProperties(x),
	}
	var links []string
	for _, r := range x.Related {
		if r.Pos.Line == 0 {
			links = append(links, clean(r.Message))
			continue
		}
		l := f.location(r.Pos, u.Dir, r.Message)
		l.ID = len(out.Related) + 1
		out.Related = append(out.Related, l)
		links = append(links, fmt.Sprintf("[%s](%d)", sarifLink.Replace(clean(r.Message)), l.ID))
	}
	out.Message.Text = strings.Join(append([]string{clean(x.Message)}, links...), "; ")
	if x.Trace != nil {
		out.CodeFlows = []sarifCodeFlow{f.codeFlow(u, x)}
	}
	for _, fix := range x.Fixes {
		out.Fixes = append(out.Fixes, f.fix(fix))
	}
	return out
}

// sarifLink escapes the text of a link. Viewers show a related place only where
// the message links to it.
var sarifLink = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

func sarifLevel(s check.Severity) string {
	if s == check.Info {
		return "note"
	}
	return s.String()
}

// location is a range, or a directory where there is none.
func (f *sarifFormat) location(r chain.Range, dir, message string) sarifLocation {
	if r.File == "" {
		r.File = dir
	}
	out := sarifLocation{Physical: &sarifPhysical{Artifact: f.artifact(r.File)}}
	if r.Line > 0 {
		region := sarifRange(r)
		out.Physical.Region = &region
	}
	if message != "" {
		out.Message = &sarifText{Text: clean(message)}
	}
	return out
}

func sarifRange(r chain.Range) sarifRegion {
	return sarifRegion{r.Line, r.Column, r.EndLine, r.EndColumn}
}

// artifact names a file from the root on, or wholly if it is elsewhere.
func (f *sarifFormat) artifact(file string) sarifArtifact {
	name := f.opt.path(file)
	drive := len(name) > 2 && name[1:3] == ":/"
	if !drive && !strings.HasPrefix(name, "/") {
		return sarifArtifact{URI: (&url.URL{Path: name}).String(), BaseID: sarifRoot}
	}
	if drive {
		name = "/" + name
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: name}).String()}
}

// codeFlow is the trace. An event stands at the setting that made it happen, or
// at the finding if none did: code scanning refuses a step without a place.
func (f *sarifFormat) codeFlow(u *compile.Unit, x *check.Finding) sarifCodeFlow {
	events := whole(x.Trace).Events
	var steps []sarifStep
	for i, e := range events {
		if skipped := len(events) - sarifSteps; skipped > 0 && i >= sarifSteps/2 && i < sarifSteps/2+skipped {
			continue
		}
		who, pos := "", x.Pos
		if e.Node != nil {
			who = e.Node.Layer + " "
		}
		if e.Limit != nil && e.Limit.Origin.Pos.Line > 0 {
			pos = e.Limit.Origin.Pos
		}
		steps = append(steps, sarifStep{f.location(pos, u.Dir, chain.Format(e.At)+" "+who+e.Text())})
	}
	title := clean(strings.TrimSuffix(heading(x.Routes, x.Trace), ":"))
	return sarifCodeFlow{sarifText{Text: title}, []sarifThreadFlow{{steps}}}
}

// fix groups edits by file, in their order.
func (f *sarifFormat) fix(fix check.Fix) sarifFix {
	out := sarifFix{Description: sarifText{Text: clean(fixMessage(fix))}, Changes: []sarifChange{}}
	at := map[string]int{}
	for _, e := range fix.Edits {
		i, ok := at[e.Range.File]
		if !ok {
			i = len(out.Changes)
			at[e.Range.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: f.artifact(e.Range.File)})
		}
		r := sarifReplacement{Deleted: sarifRange(e.Range)}
		if e.NewText != "" {
			r.Inserted = &sarifText{Text: e.NewText}
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, r)
	}
	return out
}

// suppressions are in the source where they stand in a file of the stack.
func (f *sarifFormat) suppressions(u *compile.Unit, g *chain.Ignore) []sarifSuppression {
	if g == nil {
		return []sarifSuppression{}
	}
	at := f.location(g.At, u.Dir, "")
	out := sarifSuppression{Kind: "external", Justification: clean(g.Reason), Location: &at}
	if _, ok := u.Source[g.At.File]; ok {
		out.Kind = "inSource"
	}
	if g.Until != "" {
		out.Properties = map[string]any{"until": g.Until}
	}
	return []sarifSuppression{out}
}

// sarifProperties are what the standard has no place for.
func sarifProperties(x *check.Finding) map[string]any {
	out := map[string]any{"routes": append([]string{}, x.Routes...)}
	for name, text := range map[string]string{"stack": x.Stack, "owner": x.Owner, "layer": x.Layer, "setting": x.Setting} {
		if text != "" {
			out[name] = text
		}
	}
	if x.Trace != nil {
		out["fault"] = x.Trace.Fault.Text()
	}
	if end := x.End(); end != nil {
		out["outcome"] = end.Text()
	}
	return out
}
