// Package baseline keeps the findings that a team has accepted for now in a file
// beside the stacks, so that only new ones fail. An entry whose finding is gone
// has to leave the file, so that it can only shrink.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/format"
)

// schemaVersion changes when a field goes or changes its meaning.
const schemaVersion = 1

// An Entry is one known finding. Only Fingerprint, Severity, Stack and Dir are
// compared; the rest is for people who review the file.
type Entry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	Severity    string `json:"severity"`
	Stack       string `json:"stack"`
	Dir         string `json:"dir"` // of the stack, from the directory of the file on
	Message     string `json:"message"`

	at chain.Range
}

// A Baseline is the file's entries, and which of them were met.
type Baseline struct {
	Name    string // of the file, for messages
	Entries []Entry
	// Gone reports whether a directory of an entry is no longer there: its entries
	// then hold wherever the stack has moved. nil is never.
	Gone func(dir string) bool

	met []bool
	by  map[string][]int // entries by fingerprint
}

// New is a baseline of entries, in the file with a name.
func New(name string, entries []Entry) *Baseline {
	b := &Baseline{Name: name, Entries: entries, met: make([]bool, len(entries)), by: map[string][]int{}}
	for i := range entries {
		b.by[entries[i].Fingerprint] = append(b.by[entries[i].Fingerprint], i)
	}
	return b
}

// Of are the entries for the findings of one stack.
func Of(dir string, findings []check.Finding) []Entry {
	var out []Entry
	for i, print := range format.Fingerprints(findings) {
		f := &findings[i]
		out = append(out, Entry{Fingerprint: print, Rule: f.Rule, Severity: f.Severity.String(), Stack: f.Stack, Dir: dir, Message: f.Message})
	}
	return out
}

// Encode is the content of a file with the entries: sorted, the same bytes for
// the same entries, a field a line.
func Encode(entries []Entry) []byte {
	sorted := append([]Entry{}, entries...)
	slices.SortFunc(sorted, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Stack, b.Stack), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Message, b.Message))
	})
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file{schemaVersion, sorted}); err != nil {
		panic(err) // strings and numbers
	}
	return out.Bytes()
}

type file struct {
	SchemaVersion int     `json:"schemaVersion"`
	Findings      []Entry `json:"findings"`
}

// Split parts the findings of the stack in dir into those that stand and those
// that the baseline knows. A known one that has become more severe stands.
func (b *Baseline) Split(dir string, findings []check.Finding) (stand, known []check.Finding) {
	for i, e := range b.match(dir, findings) {
		f := findings[i]
		if e == nil || e.exceeded(f) {
			stand = append(stand, f)
			continue
		}
		f.Suppressed = &chain.Ignore{Rule: f.Rule, Reason: "known in the baseline", At: e.at}
		known = append(known, f)
	}
	return stand, known
}

// Update are the entries that the stack in dir has from now on, for its findings
// from a severity up. Without add nothing is accepted that was not before.
func (b *Baseline) Update(dir string, findings []check.Finding, least check.Severity, add bool) (entries []Entry, added int) {
	now := Of(dir, findings)
	for i, e := range b.match(dir, findings) {
		switch fresh := e == nil || e.exceeded(findings[i]); {
		case findings[i].Severity < least && e == nil:
		case !fresh:
			entries = append(entries, now[i])
		case add:
			entries = append(entries, now[i])
			added++
		case e != nil:
			entries = append(entries, *e)
		}
	}
	return entries, added
}

func (e *Entry) exceeded(f check.Finding) bool {
	was, _ := check.ParseSeverity(e.Severity)
	return f.Severity > was
}

// match is the entry of each finding, nil where there is none.
func (b *Baseline) match(dir string, findings []check.Finding) []*Entry {
	prints := format.Fingerprints(findings)
	out := make([]*Entry, len(findings))
	for i := range findings {
		out[i] = b.find(prints[i], func(e *Entry) bool { return e.Dir == dir })
	}
	for i := range findings {
		if out[i] == nil && b.Gone != nil {
			out[i] = b.find(prints[i], func(e *Entry) bool { return e.Dir != dir && b.Gone(e.Dir) })
		}
	}
	return out
}

// find is the first entry with a fingerprint that was not met yet, and marks it.
func (b *Baseline) find(print string, where func(*Entry) bool) *Entry {
	for _, i := range b.by[print] {
		if e := &b.Entries[i]; !b.met[i] && where(e) {
			b.met[i] = true
			return e
		}
	}
	return nil
}

// Fixed are the entries whose finding was looked for and is gone. looked says
// whether a stack would have been met, if it is still there.
func (b *Baseline) Fixed(looked func(dir, stack string) bool) []Entry {
	return b.unmet(func(e *Entry) bool { return looked(e.Dir, e.Stack) })
}

// Others are the entries whose stack was not looked at.
func (b *Baseline) Others(looked func(dir, stack string) bool) []Entry {
	return b.unmet(func(e *Entry) bool { return !looked(e.Dir, e.Stack) })
}

func (b *Baseline) unmet(is func(*Entry) bool) []Entry {
	var out []Entry
	for i := range b.Entries {
		if !b.met[i] && is(&b.Entries[i]) {
			out = append(out, b.Entries[i])
		}
	}
	return out
}

// Finding is what an entry is that has to leave the file, because its finding is
// fixed or its whole stack is gone.
func (e Entry) Finding(gone bool) check.Finding {
	rule := check.Find("suppression")
	why := " is fixed and must leave the baseline: "
	if gone {
		why = ", which is gone, must leave the baseline: "
	}
	return check.Finding{
		Rule: rule.ID, Severity: rule.Severity, Stack: e.Stack, Pos: e.at, Label: "tchain baseline write --prune takes it out", Setting: e.Fingerprint,
		Message: e.Rule + " of stack " + e.Stack + why + e.Message,
	}
}
