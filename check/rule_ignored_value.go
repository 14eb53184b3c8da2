package check

import "tchain.dev/tchain/chain"

var ignoredValue = &Rule{
	ID:        "ignored-value",
	Title:     "the product silently replaces, swaps or drops what was written",
	Why:       "The file says one time and the product keeps another: it caps the value, swaps two of them or does not read the name at all. Nothing is logged, and the number that everybody reads in the file is not the one that fires.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "another value is in force, and the other rules say what it does",
	Check:     reportNotices(chain.NoticeIgnored, Warning, "not what is in force"),
}
