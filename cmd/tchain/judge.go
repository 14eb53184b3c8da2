package main

import (
	"strings"

	"tchain.dev/tchain/check"
)

// A judge is what the command line says of findings.
type judge struct {
	failOn   check.Severity
	severity map[string]string // by rule, over the stack's own policy
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
