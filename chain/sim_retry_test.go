package chain

import (
	"slices"
	"time"
)

func simMost(r *Retry, c *Call) int {
	if r == nil {
		return 1
	}
	most := r.Attempts.N
	if most == 0 || r.CapAddresses && c.Addresses < most {
		most = c.Addresses
	}
	return most
}

func simAllows(r *Retry, cond Cond, method string, sent bool) bool {
	if r == nil {
		return false
	}
	for _, on := range r.On {
		if on != cond {
			continue
		}
		if r.OnMethods == nil {
			return true
		}
		if !sent && !r.AsksFirst {
			return true
		}
		for _, any := range r.AnyMethod {
			if any == cond {
				return true
			}
		}
		for _, m := range r.OnMethods {
			if m == method {
				return true
			}
		}
	}
	return false
}

func (r *Retry) apart() bool { return r != nil && r.CutApart }

// simBackoff is the wait after a number of attempts, the last of which failed so.
func simBackoff(r *Retry, tried int, cond Cond) time.Duration {
	if tried == 1 && r.FirstAtOnce || r.WaitOn != nil && !slices.Contains(r.WaitOn, cond) {
		return 0
	}
	wait := r.Interval.D
	for i := 1; i < tried && r.Multiplier > 0; i++ {
		wait = wait * time.Duration(r.Multiplier) / 1000
	}
	if r.MaxInterval > 0 {
		wait = min(wait, r.MaxInterval)
	}
	return wait
}
