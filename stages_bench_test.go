package tchain_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
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

// gateways has a layer of every product that the example of a first stack has not.
const gateways = `package shop

tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	lb: haproxy: defaults: timeout: {connect: "2s", client: "50s", server: "45s"}
	gw: gatewayAPI: rule: timeouts: {request: "40s", backendRequest: "35s"}
	ing: ingressNginx: annotations: "proxy-read-timeout": 30
	mesh: istio: virtualService: http: timeout: "25s"
	env: envoy: {route: timeout: "20s", cluster: shop: connect_timeout: "1s"}
	shop: app: {server: gohttp: {}, clients: price: gohttp: Timeout: "10s"}
	price: external: {}
}
routes: "GET /price": path: ["web", "lb", "gw", "ing", "mesh", "env", "shop", "price"]
`

func BenchmarkEmit(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(gateways), 0o644); err != nil {
		b.Fatal(err)
	}
	for _, t := range targets.All {
		b.Run(t.Name, func(b *testing.B) {
			u := benchUnit(b, "examples/insurance")
			var none *emit.Refusal
			if _, _, err := t.Emit(u.Stack, emit.Options{}); errors.As(err, &none) && none.Nothing {
				u = benchUnit(b, dir)
			}
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
