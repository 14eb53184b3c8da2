package check

import (
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

var unitTrap = &Rule{
	ID:        "unit-trap",
	Title:     "a bare number is read in a unit that the writer hardly meant",
	Why:       "A number without a unit means seconds in one product and milliseconds in the next. One that was meant in seconds and is read in milliseconds fails nearly every request; the other way round it waits a thousand times too long.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "it is the value that is wrong, and the other rules say what it does",
	Check:     checkUnitTrap,
}

// mostSeconds is the largest number that is more likely one of seconds: 120 is what
// people write for two minutes, and 200 for the fifth of a second.
const mostSeconds = 120

// checkUnitTrap also offers the number in the unit that was probably meant.
func checkUnitTrap(p *Pass) {
	inner := *p
	inner.report = func(f Finding) {
		for _, n := range p.Stack.Notices {
			if n.Kind != chain.NoticeUnit || n.Origin.Pos != f.Pos {
				continue
			}
			if meant, err := strconv.Atoi(strings.ReplaceAll(n.Origin.Text, "_", "")); err == nil && meant <= mostSeconds {
				f.offer(setNumber(n.Origin, 1000*meant)).After = "then a thousand times as long"
			}
			break
		}
		p.Report(f)
	}
	reportNotices(chain.NoticeUnit, Warning, "a bare number")(&inner)
}
