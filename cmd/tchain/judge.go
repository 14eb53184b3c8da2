package main

import (
	"maps"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// A judge is what the command line says of findings.
type judge struct {
	failOn   check.Severity
	severity map[string]string // by rule, over the stack's own policy
	refused  map[string]string // by rule: a stack that it may not go over
}

func (j *judge) read(failOn string, severity []string) error {
	if err := oneOf("--fail-on", failOn, "error", "warning", "info"); err != nil {
		return err
	}
	j.failOn, _ = check.ParseSeverity(failOn)
	j.severity = map[string]string{}
	for _, pair := range severity {
		rule, level, ok := strings.Cut(pair, "=")
		if !ok {
			return usagef("--severity %q is not RULE=LEVEL", pair)
		}
		if check.Find(rule) == nil {
			return unknown("rule", rule, ruleIDs())
		}
		if err := oneOf("--severity "+rule, level, "error", "warning", "info", "off"); err != nil {
			return err
		}
		if was, ok := j.severity[rule]; ok && was != level {
			return usagef("--severity gives %s two levels, %s and %s", rule, was, level)
		}
		j.severity[rule] = level
	}
	return nil
}

// over are the severities that go over the policy of a stack: a rule that must
// stand there is raised at most.
func over(p *chain.Policy, severity map[string]string) map[string]string {
	out := maps.Clone(severity)
	maps.DeleteFunc(out, func(rule, level string) bool {
		return level != check.Error.String() && slices.Contains(p.NotSuppressible, rule)
	})
	return out
}

// meet notes for which rules the command line asks more than a stack's policy gives.
func (j *judge) meet(s *chain.Stack) {
	if s == nil {
		return
	}
	held := over(&s.Policy, j.severity)
	for rule := range j.severity {
		if _, ok := held[rule]; !ok && j.refused[rule] == "" {
			if j.refused == nil {
				j.refused = map[string]string{}
			}
			j.refused[rule] = s.Name
		}
	}
}

// refusal is the error for the first rule that cannot have the severity which the
// command line asks for. All findings keep theirs.
func (j *judge) refusal() error {
	for _, rule := range slices.Sorted(maps.Keys(j.refused)) {
		return usagef("--severity %s=%s: the policy of stack %s says that the rule is not suppressible", rule, j.severity[rule], j.refused[rule])
	}
	return nil
}
