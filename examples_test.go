package tchain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// checkStack is findings of a stack that has to be readable.
func checkStack(t *testing.T, text string) []check.Finding {
	t.Helper()
	found, broken := findings(t, text)
	for _, b := range broken {
		t.Error(b)
	}
	return found
}

// findings compiles one stack, given as text in a directory of its own, and
// gives its findings from warning up, and what could not be read.
func findings(t *testing.T, text string) (found []check.Finding, broken []string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "stack.cue")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	units := 0
	sum := compile.Each([]string{file}, compile.Options{}, func(u *compile.Unit) {
		units++
		for _, e := range u.Errors {
			broken = append(broken, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(e.Range.File), e.Range.Line, e.Range.Column, e.Message))
		}
		if u.Stack == nil {
			return
		}
		for _, f := range check.Run(u.Stack) {
			if f.Severity >= check.Warning {
				found = append(found, f)
			}
		}
	})
	for _, e := range sum.Errors {
		broken = append(broken, e.Message)
	}
	if units != 1 {
		t.Fatalf("%d stacks were read", units)
	}
	return found, broken
}

func ids(fs []check.Finding) string {
	var out []string
	for _, f := range fs {
		if !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestTheInsuranceStackIsClean(t *testing.T) {
	for _, f := range checkStack(t, insurance(t)) {
		t.Errorf("%s: %s", f.Rule, f.Message)
	}
}

func insurance(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("examples/insurance/stack.cue")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWhatIsTakenAwayOrTiedIsFound changes one value of the insurance stack at
// a time and names the rules that must find it.
func TestWhatIsTakenAwayOrTiedIsFound(t *testing.T) {
	base := insurance(t)
	for _, c := range []struct{ what, old, new, rules string }{
		{"no fetch timeout", "fetch: signal: timeout: 160_000", "fetch: {}", "no-limit"},
		{"no idle_timeout", "alb: idle_timeout: 145", "alb: {}", "error-room"},
		{"no keepalive_timeout", `keepalive_timeout:         "150s"`, "", "keepalive-race"},
		{"no proxy_connect_timeout", `proxy_connect_timeout:     "3s"`, "", "error-room"},
		{"no proxy_read_timeout", `proxy_read_timeout:        "125s"`, "", "error-room"},
		{"no proxy_next_upstream_tries", "proxy_next_upstream_tries: 1", "", "retry-budget"},
		{"a deadline that is not enforced", ", enforced: true", "", "gap-only"},
		{"no maxConnPerRoute", "maxConnPerRoute: 50", "", "pool-size"},
		{"no maxConnTotal", "maxConnTotal:    50", "", "pool-size"},
		{"no connectionRequestTimeout", `, connectionRequestTimeout: "1s"`, "", "pool-wait"},
		{"no connectionKeepAlive", `, connectionKeepAlive: "30s"`, "", "keepalive-race"},
		{"read limit equal to the app's end", `"125s"`, `"95s"`, "error-room"},
		{"proxy's end plus room equal to the balancer's limit", `"125s"`, `"141s"`, "error-room"},
		{"balancer's limit equal to the proxy's end plus room", "idle_timeout: 145", "idle_timeout: 129", "error-room"},
		{"fetch equal to the balancer's end plus room", "160_000", "156_000", "error-room"},
		{"keep-alive equal to the balancer's", `"150s"`, `"145s"`, "keepalive-race"},
		{"client's keep-alive equal to the callee's", `connectionKeepAlive: "30s"`, `connectionKeepAlive: "60s"`, "keepalive-race"},
		{"a pool of 44", "maxConnPerRoute: 50", "maxConnPerRoute: 44", "pool-size"},
		{"a pool of 45 fits", "maxConnPerRoute: 50", "maxConnPerRoute: 45", ""},
		{"one second above the app's end fits", `"125s"`, `"96s"`, ""},
		{"one second under the tie with the balancer fits", `"125s"`, `"140s"`, ""},
		{"one second above the proxy's end and room fits", "idle_timeout: 145", "idle_timeout: 130", ""},
		{"one millisecond above the balancer's end and room fits", "160_000", "156_001", ""},
		{"a margin of one second in keep-alive fits", `"150s"`, `"146s"`, ""},
		{"a margin of one second in the client's keep-alive fits", `connectionKeepAlive: "30s"`, `connectionKeepAlive: "59s"`, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			if !strings.Contains(base, c.old) {
				t.Fatalf("the stack has no %s", c.old)
			}
			found := checkStack(t, strings.Replace(base, c.old, c.new, 1))
			if got := ids(found); got != c.rules {
				for _, f := range found {
					t.Logf("%s: %s", f.Rule, f.Message)
				}
				t.Errorf("found %q, want %q", got, c.rules)
			}
		})
	}
}

// TestEachRuleFindsItsBadExampleAndNothingElse also holds every clean twin to silence.
func TestEachRuleFindsItsBadExampleAndNothingElse(t *testing.T) {
	for _, r := range check.Rules {
		t.Run(r.ID, func(t *testing.T) {
			if got := ids(checkStack(t, r.Bad())); got != r.ID {
				t.Errorf("bad: found %q", got)
			}
			for _, f := range checkStack(t, r.Clean()) {
				t.Errorf("clean: %s: %s", f.Rule, f.Message)
			}
		})
	}
}

func TestTheBrokenInsuranceStackHasFourFindings(t *testing.T) {
	b, err := os.ReadFile("examples/insurance-broken/stack.cue")
	if err != nil {
		t.Fatal(err)
	}
	found := checkStack(t, string(b))
	if got := ids(found); got != "error-room keepalive-race no-limit pool-size" || len(found) != 4 {
		t.Errorf("found %q, %d findings", got, len(found))
	}
	fixed := apply(t, string(b), found)
	if left := checkStack(t, fixed); len(left) > 0 {
		t.Errorf("with every first fix applied: %s\n%s", ids(left), fixed)
	}
}

func TestTheExamplesOfPaymentsShowWhatAPaymentNeeds(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("examples/" + name + "/stack.cue")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	payments := read("payments")
	const safe, key = `, on: ["refused", "connect-timeout"]`, `idempotencyKey: "Idempotency-Key"`
	if !strings.Contains(payments, safe) || !strings.Contains(payments, key) {
		t.Fatal("the example has changed")
	}
	for _, c := range []struct{ says, text, rules string }{
		{"a pool each, and no payment elsewhere while its outcome is unknown", payments, ""},
		{"a payment that timed out goes elsewhere", strings.Replace(payments, safe, "", 1), "retry-unsafe"},
		{"one pool for all starves the others", read("payments-shared"), "shared-pool"},
	} {
		if got := ids(checkStack(t, c.text)); got != c.rules {
			t.Errorf("%s: found %q, want %q", c.says, got, c.rules)
		}
	}
}

// apply makes the first fix of each finding, from the end of the file to its start.
func apply(t *testing.T, text string, fs []check.Finding) string {
	t.Helper()
	var edits []chain.Edit
	for _, f := range fs {
		if len(f.Fixes) == 0 {
			t.Fatalf("%s offers no fix", f.Rule)
		}
		edits = append(edits, f.Fixes[0].Edits...)
	}
	slices.SortFunc(edits, func(a, b chain.Edit) int {
		if a.Range.Line != b.Range.Line {
			return b.Range.Line - a.Range.Line
		}
		return b.Range.Column - a.Range.Column
	})
	lines := strings.Split(text, "\n")
	for _, e := range edits {
		if e.Range.Line != e.Range.EndLine {
			t.Fatal(fmt.Sprint("an edit over several lines: ", e))
		}
		line := []rune(lines[e.Range.Line-1])
		lines[e.Range.Line-1] = string(line[:e.Range.Column-1]) + e.NewText + string(line[e.Range.EndColumn-1:])
	}
	return strings.Join(lines, "\n")
}
