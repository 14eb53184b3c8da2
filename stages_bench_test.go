package tchain_test

import (
	"io"
	"testing"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/report"
	"tchain.dev/tchain/emit/targets"
	"tchain.dev/tchain/format"
)

// The stages before these are measured where they are: compile has parsing,
// reading, decoding and resolving, chain the plays and worst cases. See
// docs/performance.md.

func benchUnit(b *testing.B, dir string) *compile.Unit {
	b.Helper()
	var out *compile.Unit
	compile.Each([]string{dir}, compile.Options{}, func(u *compile.Unit) { out = u })
	if out == nil || out.Stack == nil {
		b.Fatalf("%s cannot be read", dir)
	}
	b.ReportAllocs()
	return out
}

func BenchmarkRules(b *testing.B) {
	u := benchUnit(b, "examples/insurance-broken")
	for b.Loop() {
		check.Run(u.Stack)
	}
}

func BenchmarkFormat(b *testing.B) {
	for _, f := range format.Formats {
		b.Run(f.Name, func(b *testing.B) {
			u := benchUnit(b, "examples/insurance-broken")
			res := format.Result{Unit: u, Findings: check.Run(u.Stack)}
			for b.Loop() {
				out := f.New(io.Discard, format.Options{})
				if err := out.Stack(res); err != nil {
					b.Fatal(err)
				}
				if err := out.Close(compile.Summary{Units: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEmit(b *testing.B) {
	for _, t := range targets.All {
		b.Run(t.Name, func(b *testing.B) {
			u := benchUnit(b, "examples/insurance")
			for b.Loop() {
				if _, _, err := t.Emit(u.Stack, emit.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReport(b *testing.B) {
	u := benchUnit(b, "examples/insurance")
	for b.Loop() {
		rep := report.New()
		rep.Add(u.Stack)
		if err := rep.WriteJSON(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
