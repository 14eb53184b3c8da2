// Package baseline keeps the findings that a team has accepted for now in a file
// beside the stacks, so that only new ones fail. An entry whose finding is gone
// has to leave the file, so that it can only shrink.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/format"
)

// schemaVersion changes when a field goes or changes its meaning. 2 brought the
// routes, 3 what is called on them.
const schemaVersion = 3

// An Entry is one known finding. Message is for people who review the file; the
// rest is compared.
type Entry struct {
	Fingerprint string   `json:"fingerprint"`
	Rule        string   `json:"rule"`
	Severity    string   `json:"severity"`
	Stack       string   `json:"stack"`
	Dir         string   `json:"dir"`    // of the stack, from the directory of the file on
	Routes      []string `json:"routes"` // on which it is known, with what is called there, sorted; empty of a finding that is on none
	Message     string   `json:"message"`

	at  chain.Range
	why string // it has to leave the file, where it is not that its finding is fixed
}

// A Baseline is the file's entries, and which of them were met.
type Baseline struct {
	Name    string // of the file, for messages
	Entries []Entry
	// Gone reports whether a directory of an entry is no longer there: its entries
	// then hold wherever the stack has moved. nil is never.
	Gone func(dir string) bool

	met  []bool
	held []bool           // entries of rules that must stand, which were met and cover nothing
	left [][]string       // routes of each entry that was met, which its finding is no longer on
	by   map[string][]int // entries by fingerprint
	new  []Entry          // findings that were looked up, and that no entry is of
}

// New is a baseline of entries, in the file with a name.
func New(name string, entries []Entry) *Baseline {
	b := &Baseline{Name: name, Entries: entries, met: make([]bool, len(entries)), held: make([]bool, len(entries)), left: make([][]string, len(entries)), by: map[string][]int{}}
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
		out = append(out, Entry{
			Fingerprint: print, Rule: f.Rule, Severity: f.Severity.String(), Stack: f.Stack, Dir: dir,
			Routes: sorted(f.Places()), Message: f.Message,
		})
	}
	return out
}

// sorted is never nil, which the file would hold as null.
func sorted(routes []string) []string {
	out := append([]string{}, routes...)
	slices.Sort(out)
	return out
}

// Encode is the content of a file with the entries: sorted, the same bytes for
// the same entries, a field a line.
func Encode(entries []Entry) []byte {
	all := append([]Entry{}, entries...)
	slices.SortFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Stack, b.Stack), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Message, b.Message))
	})
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file{schemaVersion, all}); err != nil {
		panic(err) // strings and numbers
	}
	return out.Bytes()
}

type file struct {
	SchemaVersion int     `json:"schemaVersion"`
	Findings      []Entry `json:"findings"`
}

// Split parts the findings of the stack in dir into those that stand and those
// that the baseline knows. A known one that has become more severe or is on a
// further route stands, and says so; one of the rules that must stand does always.
func (b *Baseline) Split(dir string, findings []check.Finding, must []string) (stand, known []check.Finding) {
	for i, e := range b.match(dir, findings) {
		f := findings[i]
		if e == nil || b.refuses(e, must) {
			stand = append(stand, f)
			continue
		}
		if why := e.exceeded(f); why != "" {
			f.Related = append(slices.Clip(f.Related), check.Related{Message: "worse than in the baseline: " + why})
			stand = append(stand, f)
			continue
		}
		f.Suppressed = &chain.Ignore{Rule: f.Rule, Reason: "known in the baseline", At: e.at}
		known = append(known, f)
	}
	return stand, known
}

// refuses reports whether an entry is of a rule that must stand, and marks it.
func (b *Baseline) refuses(e *Entry, must []string) bool {
	if !slices.Contains(must, e.Rule) {
		return false
	}
	for i := range b.Entries {
		b.held[i] = b.held[i] || e == &b.Entries[i]
	}
	return true
}

// Update are the entries that the stack in dir has from now on, for its findings
// from a severity up. Without add nothing is accepted that was not before. Of the
// findings of rules that must stand it has none; refused says how many they are.
func (b *Baseline) Update(dir string, findings []check.Finding, must []string, least check.Severity, add bool) (entries []Entry, added, refused int) {
	now := Of(dir, findings)
	for i, e := range b.match(dir, findings) {
		switch fresh := e == nil || e.exceeded(findings[i]) != ""; {
		case e != nil && b.refuses(e, must):
			refused++
		case slices.Contains(must, findings[i].Rule) && findings[i].Severity >= least:
			refused++
		case findings[i].Severity < least && e == nil:
		case !fresh:
			entries = append(entries, now[i])
		case add:
			entries = append(entries, now[i])
			added++
		case e != nil:
			kept := *e
			kept.Routes = common(e.Routes, findings[i].Places())
			entries = append(entries, kept)
		}
	}
	return entries, added, refused
}

// exceeded says in what a finding is worse than its entry; "" is in nothing.
func (e *Entry) exceeded(f check.Finding) string {
	if was, _ := check.ParseSeverity(e.Severity); f.Severity > was {
		return "was " + e.Severity
	}
	return diff.Further(e.Routes, f.Places())
}

// Fixed are the entries whose finding was looked for and is gone. looked says
// whether a stack would have been met, if it is still there.
func (b *Baseline) Fixed(looked func(dir, stack string) bool) []Entry {
	out := b.unmet(func(e *Entry) bool { return looked(e.Dir, e.Stack) })
	for i := range out {
		out[i].why = b.misfit(&out[i])
	}
	return out
}

// misfit says why an entry that was not met is of no finding although there may be
// one: another entry is of the same, or its fingerprint was changed.
func (b *Baseline) misfit(e *Entry) string {
	for _, i := range b.by[e.Fingerprint] {
		if o := &b.Entries[i]; o.Dir == e.Dir && o.Stack == e.Stack && b.met[i] {
			return " has more entries in the baseline than findings, and this one must leave it: "
		}
	}
	same := func(o Entry) bool {
		return o.Dir == e.Dir && o.Stack == e.Stack && o.Rule == e.Rule && o.Message == e.Message && meet(o.Routes, e.Routes)
	}
	if slices.ContainsFunc(b.new, same) {
		return " is still found, but has not the fingerprint of this entry, which must leave the baseline: "
	}
	return ""
}

// Others are the entries whose stack was not looked at.
func (b *Baseline) Others(looked func(dir, stack string) bool) []Entry {
	return b.unmet(func(e *Entry) bool { return !looked(e.Dir, e.Stack) })
}

// Refused are the entries that were met and are of rules that must stand.
func (b *Baseline) Refused() []Entry {
	var out []Entry
	for i, held := range b.held {
		if held {
			out = append(out, b.Entries[i])
		}
	}
	return out
}

// Narrowed are the entries whose finding is still there, but no longer on the
// routes that they are given with.
func (b *Baseline) Narrowed() []Entry {
	var out []Entry
	for i, routes := range b.left {
		if len(routes) > 0 && !b.held[i] {
			e := b.Entries[i]
			e.Routes = routes
			out = append(out, e)
		}
	}
	return out
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
	switch {
	case gone:
		return e.leaves(", which is gone, must leave the baseline: ")
	case e.why != "":
		return e.leaves(e.why)
	}
	return e.leaves(" is fixed and must leave the baseline: ")
}

// Fewer is what a Narrowed entry is: its routes have to leave the file.
func (e Entry) Fewer() check.Finding {
	return e.leaves(" is fixed on " + strings.Join(e.Routes, ", ") + ", which must leave the baseline: ")
}

// MustStand is what a Refused entry is.
func (e Entry) MustStand() check.Finding {
	return e.leaves(" is not suppressible and must leave the baseline: ")
}

func (e Entry) leaves(why string) check.Finding {
	rule := check.Find("suppression")
	return check.Finding{
		Rule: rule.ID, Severity: rule.Severity, Stack: e.Stack, Pos: e.at, Label: "tchain baseline write --prune takes it out", Setting: e.Fingerprint,
		Message: e.Rule + " of stack " + e.Stack + why + e.Message,
	}
}
