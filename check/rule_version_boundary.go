package check

import "tchain.dev/tchain/chain"

var versionBoundary = &Rule{
	ID:        "version-boundary",
	Title:     "a version is written too coarsely to know which timer governs",
	Why:       "Between two patch releases of the version that is written, another timer took over or a default changed. The same stack then behaves in two ways, and the bump that moves it looks harmless. Write the version to the patch, or write the value.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "which value is in force is open, and the other rules say what it does",
	Check:     reportNotices(chain.NoticeBoundary, Warning, "too coarse"),
}
