package format

import (
	"slices"
	"strings"

	"tchain.dev/tchain/check"
)

// sarifRules describes every rule, so that a clean run says what it looked for.
func sarifRules() []sarifRule {
	out := make([]sarifRule, 0, len(check.Rules))
	for _, r := range check.Rules {
		out = append(out, sarifRule{
			ID: r.ID, Short: sarifText{Text: r.Title}, Full: sarifText{Text: r.Why},
			Help:       sarifText{Text: r.Why + ruleOptions(r, "\n\nIn policy, "), Markdown: ruleMarkdown(r)},
			Default:    sarifConfiguration{sarifLevel(r.Severity)},
			Properties: map[string]any{"since": r.Since},
		})
	}
	return out
}

func ruleIndex(id string) int {
	return slices.IndexFunc(check.Rules, func(r *check.Rule) bool { return r.ID == id })
}

// ruleMarkdown is a rule with its two stacks.
func ruleMarkdown(r *check.Rule) string {
	text := r.Why + "\n" + ruleOptions(r, "\n- in `policy`: ")
	if bad := r.Bad(); bad != "" {
		text += "\n\nHas the finding:\n\n```cue\n" + strings.TrimSpace(bad) + "\n```\n"
	}
	if clean := r.Clean(); clean != "" {
		text += "\nHas it not:\n\n```cue\n" + strings.TrimSpace(clean) + "\n```\n"
	}
	return text
}

func ruleOptions(r *check.Rule, before string) string {
	var out string
	for _, o := range r.Options {
		out += before + o.Name + ": " + o.Doc + " (default " + o.Default + ")"
	}
	return out
}
