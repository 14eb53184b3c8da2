package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

const explainLong = `Explain says what a rule finds and why, with an example that has the finding and
one that has not; or what a setting bounds in time, its default, and how that is
known; with --types, of the types that a team declares. It knows what a stack
says of a layer and of a route, too. Without an argument it lists the rules.

With a stack and a route it says which value is in force on each call, which
setting won and which were dropped; with --fault or --at it plays the fault.`

const explainExample = `  tchain explain
  tchain explain error-room
  tchain explain nginx.proxy_read_timeout
  tchain explain spring.http.client.read-timeout
  tchain explain route.idempotencyKey
  tchain explain examples/resttemplate 'GET /balance' --hop api:bank
  tchain explain examples/insurance 'GET /v1/affiliation/health-insurance' --fault silent --at auth`

func newExplain(r *run) *cobra.Command {
	q := &routeQuestion{stacks: stacks{run: r}}
	c := catalogue{timeout: &q.timeout}
	cmd := &cobra.Command{
		Use: "explain [RULE | TYPE.SETTING | STACK ROUTE]", Short: "explain a rule, a setting, or a route of a stack", Long: explainLong, Example: explainExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("types") && (len(args) != 1 || !strings.Contains(args[0], ".")):
				return usagef("--types is for one setting, as TYPE.SETTING")
			case len(args) == 2:
				return q.explain(r.out, args[0], args[1])
			}
			if err := q.unasked(cmd); err != nil {
				return err
			}
			if ok, err := c.read(r, cmd); !ok {
				return err
			}
			return explain(r.out, c, args)
		},
	}
	q.addFlags(cmd)
	c.addFlags(cmd)
	return cmd
}

// explain is told apart by the form of its arguments: a rule id has no dot, a
// setting has one, but for what stands in every app, as its deadline; and two
// arguments are a stack and a route.
func explain(w io.Writer, c catalogue, args []string) error {
	switch {
	case len(args) == 0:
		return explainAll(w)
	case len(args) > 2:
		return usagef("too many arguments: %q", args[2])
	case slices.Contains(chain.FaultKinds, chain.FaultKind(args[0])):
		_, err := io.WriteString(w, faultText(chain.FaultKind(args[0])))
		return err
	case strings.Contains(args[0], "."):
		return explainSetting(w, c, args[0])
	case check.Find(args[0]) == nil:
		if said, err := explainOwn(w, args[0]); said || err != nil {
			return err
		}
		if slices.Contains(c.typeKeys(), args[0]) {
			break
		}
		if said, err := explainFacts(w, args[0]); said || err != nil {
			return err
		}
		if err := settingsCalled(c, args[0]); err != nil {
			return err
		}
		if compile.Closest(args[0], ruleIDs()) == "" {
			if err := nearFact(args[0]); err != nil {
				return err
			}
		}
	}
	return explainRule(w, args[0])
}

// faultText is a fault for the terminal.
func faultText(k chain.FaultKind) string {
	text := fmt.Sprintf("%s: a fault: %s\n", k, chain.Fault{Kind: k}.Text())
	if takes := k.Takes(); takes != "" {
		text += "\n  needs  " + takes + "\n"
	}
	return text + fmt.Sprintf("\ntchain explain STACK ROUTE --fault %s --at LAYER plays it\n", k)
}

func explainAll(w io.Writer) error {
	for _, rule := range check.Rules {
		if _, err := fmt.Fprintf(w, "%-20s %-8s %s\n", rule.ID, rule.Severity, rule.Title); err != nil {
			return err
		}
	}
	return nil
}

func explainRule(w io.Writer, id string) error {
	rule := check.Find(id)
	if rule == nil && slices.Contains(catalogue{}.typeKeys(), id) {
		return usagef("%s is a type; tchain settings %s lists what can be explained of it", id, id)
	}
	if rule == nil {
		return unknown("rule", id, ruleIDs())
	}
	_, err := io.WriteString(w, ruleText(rule))
	return err
}

func ruleIDs() []string {
	var ids []string
	for _, r := range check.Rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// noOutcome says of which findings of a rule no outcome is told.
func noOutcome(rule *check.Rule) string {
	return "A finding names what the person has in the end, but not always: " + rule.NoOutcome + "."
}

// ruleText is a rule for the terminal; docs/rules is made of the same parts.
func ruleText(rule *check.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", rule.ID, rule.Title)
	fmt.Fprintf(&b, "at most %s, since %s%s\n", rule.Severity, rule.Since, standing(rule))
	b.WriteString("\n" + fill(rule.Why, 80) + "\n")
	if rule.NoOutcome != "" {
		b.WriteString("\n" + fill(noOutcome(rule), 80) + "\n")
	}
	if len(rule.Options) > 0 {
		b.WriteString("\noptions in policy:\n")
		for _, o := range rule.Options {
			fmt.Fprintf(&b, "  %s (default %s): %s\n", o.Name, o.Default, o.Doc)
		}
	}
	if bad := rule.Bad(); bad != "" {
		b.WriteString("\nhas the finding:\n\n" + indent(bad))
	}
	if clean := rule.Clean(); clean != "" {
		b.WriteString("\nhas it not:\n\n" + indent(clean))
	}
	return b.String()
}

func standing(rule *check.Rule) string {
	if rule.Stands {
		return "; not suppressible"
	}
	return ""
}

// fill breaks a paragraph into lines of at most width columns.
func fill(text string, width int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len([]rune(word)) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len([]rune(word))
	}
	return b.String()
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		if line != "\n" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}
