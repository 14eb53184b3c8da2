package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// A contender is a value that may be in force for a timer, and why it is not
// where one before it is.
type contender struct {
	*hc5Value
	loses   string
	general bool // it is for more than this client, so that it is in force elsewhere
}

// contest settles a timer for which several settings compete, the strongest
// first, and says so; nil where none is set. why are the reasons, by the place of
// the winner. A value that is beaten by another time is shadowed.
func (out *clientOutput) contest(timer string, none chain.Origin, why []string, all ...contender) *hc5Value {
	i := slices.IndexFunc(all, func(c contender) bool { return c.hc5Value != nil })
	d := chain.Derivation{Timer: timer, Settled: chain.Settled{Value: chain.Never, Winner: none}, Why: why[len(why)-1]}
	if i < 0 {
		out.Derived = append(out.Derived, d)
		return nil
	}
	winner := all[i].hc5Value
	d.Settled, d.Why = winner.settled(), why[i]
	for _, c := range all[i+1:] {
		if c.hc5Value == nil {
			continue
		}
		d.Dropped = append(d.Dropped, chain.Dropped{Origin: c.origin, Why: c.loses})
		if !c.general && c.origin.Source == chain.Written && !c.unknown {
			out.Notices = append(out.Notices, c.beatenBy(winner, ""))
		}
	}
	out.Derived = append(out.Derived, d)
	return winner
}
