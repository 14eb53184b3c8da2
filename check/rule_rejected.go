package check

import "tchain.dev/tchain/chain"

var rejected = &Rule{
	ID:       "rejected",
	Title:    "the product or its API would not take the value",
	Why:      "The value can be written here and not there: it is outside of what the product takes, or the product does not know the word. The roll-out fails, or goes on with the old value, and whoever rolls out under pressure finds out last.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    reportNotices(chain.NoticeRejected, Error, "not taken"),
}
