package check

import "tchain.dev/tchain/chain"

var implicit = &Rule{
	ID:       "implicit",
	Title:    "an outcome is decided by a default that differs between versions",
	Why:      "The version is not written, and the product's default has changed: the same file means something else after the next image bump. Write the version, or write the value.",
	Severity: Warning,
	Since:    "0.1.0",
	Check:    reportNotices(chain.NoticeImplicit, Warning, "differs between versions"),
}
