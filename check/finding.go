package check

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// A Severity follows consequence, not taste.
type Severity int

// The severities, lowest first.
const (
	Off     Severity = iota
	Info             // good to know; hidden unless asked for
	Warning          // depends on a fact that is not declared
	Error            // a person sees something wrong under a listed fault
)

var severityNames = [...]string{"off", "info", "warning", "error"}

// String is the severity's word in output and in policies.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads what String writes; ok is false for any other word.
func ParseSeverity(s string) (sev Severity, ok bool) {
	for i, n := range severityNames {
		if n == s {
			return Severity(i), true
		}
	}
	return 0, false
}

// A Finding is one thing that is wrong, at the line that causes it.
type Finding struct {
	Rule     string
	Severity Severity
	Stack    string // the stack's name
	Owner    string
	Pos      chain.Range // where the person has to look; the text to underline
	Label    string      // what to say under the underlined text: "fires first  [nginx 1.28: proved]"
	Routes   []string    // all routes it holds for; the trace is of the first
	Layer    string
	Callee   string // the layer that Layer calls under the setting; "" where that is of no one call
	Setting  string // the setting path: "proxy.nginx.server.proxy_read_timeout"
	Message  string // lower case, subject first, no final stop
	// Case tells apart what one setting does to several that are not its callees, as the
	// layer that is told of; "" where it does one thing.
	Case    string
	Amount  Amount
	Aside   Aside
	Related []Related
	Trace   *chain.Trace // nil where no fault shows it
	// Outcome is what the person has in the end where no trace shows it: see [Finding.End].
	Outcome *chain.Outcome
	Fixes   []Fix // verified, smallest first
	// Suppressed is what accepts the finding; nil for one that stands.
	Suppressed *chain.Ignore
	// CoveredBy is every suppression of the stack that covers it, Suppressed the first.
	CoveredBy []*chain.Ignore

	like       string // the message without what differs between routes
	namesRoute bool   // the message names its route
}

// Places are the routes that a finding is on, with what is called there where that
// is known, as "GET /a → b": another callee under the same setting is another fault.
func (f *Finding) Places() []string {
	if f.Callee == "" {
		return f.Routes
	}
	out := make([]string, len(f.Routes))
	for i, r := range f.Routes {
		out[i] = r + " → " + f.Callee
	}
	return out
}

// End is what the person has in the end; nil where that is not known, or nothing goes wrong
// for anybody: see [Rule.NoOutcome].
func (f *Finding) End() *chain.Outcome {
	if f.Trace != nil {
		return &f.Trace.Outcome
	}
	return f.Outcome
}

// Related is a further place with its own text.
type Related struct {
	Pos     chain.Range
	Message string
	// Term is the summand of a worst case that alone it tells of; the zero Term is none.
	Term chain.Term
}

// A Fix is a set of edits that clears the finding and gives no route a new one of
// equal or higher severity.
type Fix struct {
	Message string // `"90s" → "96s"`: what changes
	After   string // what then holds: "then 1s over api's error, 46s under edge"
	Edits   []chain.Edit

	origins []chain.Origin // of the settings that it writes
}

// sets reports whether the fix writes a setting.
func (f Fix) sets(o chain.Origin) bool {
	return slices.ContainsFunc(f.origins, func(x chain.Origin) bool { return x.Setting == o.Setting && x.ID == o.ID })
}

// offer adds a fix that can be written. What it gives takes more about the fix.
func (f *Finding) offer(fix Fix, ok bool) *Fix {
	if !ok {
		return &fix
	}
	f.Fixes = append(f.Fixes, fix)
	return &f.Fixes[len(f.Fixes)-1]
}

// A Rule is metadata and a pure function.
type Rule struct {
	ID    string
	Title string // one line, lower case, no final stop
	Why   string // a paragraph: what it finds and what it costs to leave it
	// Severity is the highest it gives; a finding may be lower.
	Severity Severity
	Since    string // the version of tchain that brought it
	Stands   bool   // no suppression covers it
	// NoOutcome is why a finding from warning up may name no outcome; "" where each does.
	NoOutcome string
	Options   []Option
	Check     func(*Pass)
}

// An Option is a policy field that a rule reads.
type Option struct{ Name, Default, Doc string }

// A Pass is one run of one rule on one stack.
type Pass struct {
	Stack  *chain.Stack
	Rule   *Rule
	report func(Finding)
	memo   *memo
}

// Report adds a finding; rule, stack and severity are filled in where unset.
func (p *Pass) Report(f Finding) {
	if f.Rule == "" {
		f.Rule = p.Rule.ID
	}
	if f.Severity == Off {
		f.Severity = p.Rule.Severity
	}
	f.Stack = p.Stack.Name
	f.Fixes = slices.DeleteFunc(f.Fixes, func(x Fix) bool { return p.endsSomeFlow(x) || p.restsOnDoubt(f, x) })
	if p.memo.trial {
		f.Trace, f.Outcome, f.Fixes = nil, nil, nil
	}
	f.told()
	explainReserve(&f)
	p.report(f)
}
