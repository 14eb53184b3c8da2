package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/nginx"
	"tchain.dev/tchain/internal/retake"
)

// TestEmittedNGINXBehavesAsTheTraceSays writes each scenario's settings as a
// stack, emits NGINX from it, runs the emitted text as it stands under the same
// fault, and holds what happens against the trace of that stack.
func TestEmittedNGINXBehavesAsTheTraceSays(t *testing.T) {
	ran := map[fault.Mode]int{}
	for _, s := range NGINXScenarios() {
		if s.Upstreams[0].TLS || s.BodyBytes > 0 {
			continue // the emitted block speaks to a plain upstream; a body is sent by hand
		}
		stack, err := compileStack(stackText(s))
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		f, ok := faultOf(s, stack.Routes[0])
		if !ok {
			continue
		}
		emitted, err := emittedOf(stack, s)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		ran[s.Upstreams[0].Mode]++
		want := predicted(chain.Play(stack.Routes[0], f), s.Product, directive)
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			retake.Test(t, func(t testing.TB) {
				r, err := Drive(emitted)
				if err != nil {
					t.Fatal(err)
				}
				for _, line := range compare(want, r) {
					t.Errorf("%s\n%s\n%s", line, emitted.Snippets.Upstream, emitted.Snippets.Server)
				}
			})
		})
	}
	for _, mode := range []fault.Mode{fault.Silent, fault.Stall, fault.HeaderDrip, fault.Refuse, fault.Backlog, fault.IdleRace} {
		if ran[mode] == 0 {
			t.Errorf("no emitted configuration was run against %s", mode)
		}
	}
}

// emittedOf is the scenario with the emitted text in the place of its settings.
func emittedOf(stack *chain.Stack, s Scenario) (Scenario, error) {
	files, _, err := nginx.Target.Emit(stack, emit.Options{})
	if err != nil {
		return s, err
	}
	snippets := &Snippets{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".upstream.conf") {
			snippets.Upstream = string(f.Content)
		} else {
			snippets.Server = string(f.Content)
		}
	}
	for i := range s.Upstreams {
		snippets.Addresses = append(snippets.Addresses, fmt.Sprintf("127.0.0.1:%d", 8081+i))
	}
	if !slices.ContainsFunc(files, func(f emit.File) bool { return strings.HasSuffix(f.Name, ".server.conf") }) {
		return s, fmt.Errorf("no server file among %d", len(files))
	}
	s.Settings, s.Snippets = nil, snippets
	return s, nil
}
