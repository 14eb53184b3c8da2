package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// keepsUnknown is why nobody can say how long idle connections of a call are kept; ""
// where that is known, or that none is. A browser repeats what finds its connection
// closed; of a layer that is not known all is said to be so.
func (e *effective) keepsUnknown(c *chain.Call) string {
	switch e.typ.Role {
	case chain.RoleCaller, chain.RoleUnknown:
		return ""
	}
	if e.reusesNone || len(c.Idle) > 0 || e.passesFlows(c) {
		return ""
	}
	if kept := e.sized(chain.PoolIdleSize); kept != nil && kept.state == known && kept.meaning() == "off" {
		return ""
	}
	why := "how long " + e.typ.Key + " keeps an idle one is not documented"
	for _, s := range e.settings {
		for _, l := range s.field.Limits {
			switch {
			case l.Kind == chain.ChannelIdle, idleSpec(l) && (s.state != unset || s.field.fallsBack() || !e.holds(l.If, s)):
				return ""
			case idleSpec(l):
				why = s.origin.Name + " is not declared"
			}
		}
	}
	return why
}

// passesFlows reports whether a layer only passes on what comes, and so makes no
// connection of its own.
func (e *effective) passesFlows(c *chain.Call) bool {
	return len(c.Limits()) == 0 && slices.ContainsFunc(e.timers, func(l chain.Limit) bool { return l.Kind == chain.FlowIdle })
}
