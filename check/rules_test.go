package check_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// A variant is an example with some of its text replaced, and what its rule then finds.
type variant struct {
	rule     string
	example  string   // "bad", "clean", or a whole stack
	replaced []string // old, new, old, new …
	want     string   // the highest severity, "" for none
	says     string   // part of that finding's message
}

func (v variant) stack(t *testing.T) string {
	t.Helper()
	text := v.example
	switch rule := check.Find(v.rule); v.example {
	case "bad":
		text = rule.Bad()
	case "clean":
		text = rule.Clean()
	}
	for i := 0; i < len(v.replaced); i += 2 {
		if !strings.Contains(text, v.replaced[i]) {
			t.Fatalf("the stack has no %s", v.replaced[i])
		}
		text = strings.ReplaceAll(text, v.replaced[i], v.replaced[i+1])
	}
	return text
}

// findings compiles a stack and gives all that the rules find, with the fixes
// that hold when they are applied and the stack is read again.
func findings(t *testing.T, text string) []check.Finding {
	t.Helper()
	return verified(check.Run(stackOf(t, text)), text)
}

func verified(fs []check.Finding, text string) []check.Finding {
	fs = slices.Clone(fs)
	if err := check.Verify(context.Background(), fs, func(edits []chain.Edit) ([]check.Finding, error) {
		s, err := compiled(edited(text, edits))
		if err != nil {
			return nil, err
		}
		return check.RunTrial(context.Background(), s, "")
	}); err != nil {
		panic(err)
	}
	return fs
}

// edited applies edits of one line each, from the end of the text to its start.
func edited(text string, edits []chain.Edit) string {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b chain.Edit) int {
		if a.Range.Line != b.Range.Line {
			return b.Range.Line - a.Range.Line
		}
		return b.Range.Column - a.Range.Column
	})
	lines := strings.Split(text, "\n")
	for _, e := range edits {
		line := []rune(lines[e.Range.Line-1])
		lines[e.Range.Line-1] = string(line[:e.Range.Column-1]) + e.NewText + string(line[e.Range.EndColumn-1:])
	}
	return strings.Join(lines, "\n")
}

// of is the gravest finding of a rule.
func of(fs []check.Finding, rule string) (out check.Finding) {
	for _, f := range fs {
		if f.Rule == rule && f.Severity > out.Severity {
			out = f
		}
	}
	return out
}

func severity(f check.Finding) string {
	if f.Severity == check.Off {
		return ""
	}
	return f.Severity.String()
}

func variants() []variant {
	return slices.Concat(noticeVariants, retryVariants, poolVariants, timeVariants, podVariants, capacityVariants, roomVariants, budgetVariants, waitVariants, readVariants, repeatVariants, orphanVariants, demandVariants, flowVariants, streamVariants, conditionVariants, edgeVariants, probeVariants)
}

// TestTheNumbersThatDecideEachRule also compares all that is shown of what the
// rule finds with golden/<rule>.txt, which TCHAIN_UPDATE=1 rewrites.
func TestTheNumbersThatDecideEachRule(t *testing.T) {
	for _, rule := range check.Rules {
		t.Run(rule.ID, func(t *testing.T) {
			var shown golden
			shown.add(t, variant{rule: rule.ID, example: "bad"})
			shown.add(t, variant{rule: rule.ID, example: "clean"})
			all := true
			for _, v := range variants() {
				if v.rule != rule.ID {
					continue
				}
				ran := false
				t.Run(strings.Join(v.replaced, " "), func(t *testing.T) {
					ran = true
					got := of(shown.add(t, v), v.rule)
					if severity(got) != v.want || !strings.Contains(got.Message, v.says) {
						t.Errorf("%s %q, want %s …%s…", severity(got), got.Message, v.want, v.says)
					}
				})
				all = all && ran
			}
			if all { // and not only some, by -run
				shown.compare(t, rule.ID)
			}
		})
	}
}

// TestEveryRuleIsDecidedByANumber holds each rule of this package's later files
// to a variant that is found and one that is not.
func TestEveryRuleIsDecidedByANumber(t *testing.T) {
	found, silent := map[string]bool{}, map[string]bool{}
	for _, v := range variants() {
		if v.want == "" || v.want == "info" {
			silent[v.rule] = true
		} else {
			found[v.rule] = true
		}
	}
	for rule := range found {
		if check.Find(rule) == nil || !silent[rule] {
			t.Errorf("%s has no variant that is silent", rule)
		}
	}
	if len(found) != 32 {
		t.Errorf("%d rules have variants", len(found))
	}
}

// TestTheFixOfEachBadExampleHolds names what the first fix that holds does.
func TestTheFixOfEachBadExampleHolds(t *testing.T) {
	for rule, want := range map[string]string{
		"unit-trap":           "line 5 20 → 20000",
		"retry-unsafe":        "retryStrategy: maxRetries: 0",
		"hidden-retry":        "retryStrategy: maxRetries: 0",
		"retry-amplification": "proxy_next_upstream_tries: 1",
		"never-fires":         `line 7 "10s" → "4s"`,
		"pool-total":          "MaxIdleConnsPerHost: 10",
		"shared-pool":         "line 10 20 → 40",
		"capacity":            "line 13 200 → 400",
		"ejection":            `line 8 "10s" → "13s"`,
		"tail-latency":        `line 7 "2s" → "3s"`,
		"within":              `line 7 "3s" → "2s"`,
		"fresh-budgets":       "line 5 10000 → 13000",
		"platform-cap":        `line 8 "70m" → "3998s"`,
	} {
		t.Run(rule, func(t *testing.T) {
			f := of(findings(t, check.Find(rule).Bad()), rule)
			if len(f.Fixes) == 0 || !strings.Contains(f.Fixes[0].Message, want) {
				t.Errorf("fixes %+v, want %s", f.Fixes, want)
			}
		})
	}
}

// TestEveryFindingOfABadExampleCanBeFollowed holds what a finding must bring along.
func TestEveryFindingOfABadExampleCanBeFollowed(t *testing.T) {
	withoutTrace := []string{"capacity", "drain-order", "fresh-budgets", "ignored-value", "implicit", "ping", "pool-total", "probe", "rejected", "shadowed", "sticky-limit", "suppression", "unit-trap", "upload-cut", "version-boundary"}
	for _, rule := range check.Rules {
		f := of(findings(t, rule.Bad()), rule.ID)
		switch {
		case f.Pos == (chain.Range{}) || f.Label == "" || f.Setting == "" || f.Rule != "suppression" && (len(f.Routes) == 0 || f.Layer == ""):
			t.Errorf("%s does not say where: %+v", rule.ID, f)
		case f.Severity > rule.Severity:
			t.Errorf("%s is %s, and the rule at most %s", rule.ID, f.Severity, rule.Severity)
		case strings.HasSuffix(f.Message, "."):
			t.Errorf("%s ends in a stop: %s", rule.ID, f.Message)
		case (f.Trace == nil) != slices.Contains(withoutTrace, rule.ID):
			t.Errorf("%s: trace %v", rule.ID, f.Trace)
		}
	}
}

// TestEveryFindingNamesWhatThePersonHas asks it of what is found from warning up, unless
// the rule says why there may be none: a status and who wrote it, or what else it is.
func TestEveryFindingNamesWhatThePersonHas(t *testing.T) {
	none := map[string]int{}
	ask := func(rule, stack string) {
		for _, f := range check.Find(rule).Run(stackOf(t, stack)) {
			switch o := f.End(); {
			case f.Severity < check.Warning:
			case o == nil:
				none[rule]++
				if check.Find(rule).NoOutcome == "" {
					t.Errorf("%s says nothing of what the person has, nor why: %s\n%s", rule, f.Message, stack)
				}
			case o.Status == 0 && o.Error == "" || o.Status != 0 && o.From == nil:
				t.Errorf("%s has %+v", rule, o)
			}
		}
	}
	for _, rule := range check.Rules {
		ask(rule.ID, rule.Bad())
	}
	for _, v := range variants() {
		ask(v.rule, v.stack(t))
	}
	for _, rule := range check.Rules {
		if rule.NoOutcome != "" && none[rule.ID] == 0 {
			t.Errorf("every finding of %s has an outcome, and it says that some have none", rule.ID)
		}
	}
}
