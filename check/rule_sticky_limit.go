package check

import "tchain.dev/tchain/chain"

var stickyLimit = &Rule{
	ID:        "sticky-limit",
	Title:     "a limit of one request stays on the pooled connection for the next",
	Why:       "A read limit belongs to the request, and some clients write it to the socket and leave it there. The next request on the connection then has the limit of the one before: it fails early or waits long, depending on which connection it got, and no test with a fresh connection shows it.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "another limit is in force than the one that is read",
	Check:     reportNotices(chain.NoticeSticky, Warning, "stays on the connection"),
}
