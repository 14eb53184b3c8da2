package baseline

import (
	"slices"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/format"
)

// match is the entry of each finding, nil where there is none. An entry whose
// routes the finding has all left is of another finding, so that what is new does
// not hide behind what is fixed.
func (b *Baseline) match(dir string, findings []check.Finding) []*Entry {
	out := make([]*Entry, len(findings))
	here := func(e *Entry) bool { return e.Dir == dir }
	moved := func(e *Entry) bool { return e.Dir != dir && b.Gone(e.Dir) }
	places := []func(*Entry) bool{here}
	if b.Gone != nil {
		places = append(places, moved)
	}
	for _, place := range places {
		// Of several with one cause, those that say the same belong together first.
		for _, same := range []bool{true, false} {
			for i := range findings {
				f := &findings[i]
				if out[i] == nil {
					out[i] = b.take(f, func(e *Entry) bool {
						return place(e) && (!same || e.Message == f.Message) && meet(e.Routes, f.Places())
					})
				}
			}
		}
	}
	for i, e := range Of(dir, findings) {
		if out[i] == nil {
			b.new = append(b.new, e)
		}
	}
	return out
}

// take is the first entry of a finding's cause that was not met yet, and marks it.
func (b *Baseline) take(f *check.Finding, where func(*Entry) bool) *Entry {
	for _, print := range b.prints(f) {
		for _, i := range b.by[print] {
			if e := &b.Entries[i]; !b.met[i] && where(e) {
				b.met[i] = true
				b.left[i] = without(e.Routes, f.Places())
				return e
			}
		}
	}
	return nil
}

// prints are the fingerprints that entries of a finding's cause can have: findings
// of one cause are numbered, and those that are fixed leave gaps.
func (b *Baseline) prints(f *check.Finding) []string {
	n := 0
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Rule == f.Rule && e.Stack == f.Stack {
			n++
		}
	}
	return format.Fingerprints(slices.Repeat([]check.Finding{*f}, n))
}

// meet reports whether two lists have a route in common, or are both empty.
func meet(a, b []string) bool {
	return len(a) == 0 && len(b) == 0 || len(common(a, b)) > 0
}

func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(r string) bool { return !slices.Contains(b, r) })
}

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(r string) bool { return slices.Contains(b, r) })
}
