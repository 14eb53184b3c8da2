package check

import "tchain.dev/tchain/chain"

var shadowed = &Rule{
	ID:        "shadowed",
	Title:     "a written value that is never in force, because a different one wins",
	Why:       "Somebody set a limit and believes in it. Another entrance of the same product wins, with another value, and nothing says so until an incident.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "another value is in force, and the other rules say what it does",
	Check:     reportNotices(chain.NoticeShadowed, Warning, "never in force"),
}
