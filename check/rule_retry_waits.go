package check

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// waitsFor is the way in which an attempt fails that a fault without progress
// holds up, as retry policies name it.
var waitsFor = map[chain.FaultKind]chain.Cond{
	chain.Saturated:   chain.CondPoolTimeout,
	chain.Blackhole:   chain.CondConnectTimeout,
	chain.TunnelStall: chain.CondConnectTimeout,
	chain.TLSStall:    chain.CondTLSTimeout,
	chain.Silent:      chain.CondTimeout,
}

// comesLate reports whether a failure takes its time: the end of a wait.
func comesLate(c chain.Cond) bool { return strings.HasSuffix(string(c), string(chain.CondTimeout)) }

// waitsOnce reports whether a trace shows the first attempt of a hop's call use
// up the limit around all of them, although the policy repeats what it waits for.
func waitsOnce(t chain.Trace, h hop, retry *chain.Retry, around chain.Limit) bool {
	cond := waitsFor[t.Fault.Kind]
	if t.Fault.Call != h.call || !retry.Allows(cond, h.method(), written(cond)) || repeatedBy(t, h, anyCond) > 0 {
		return false
	}
	for _, e := range t.Events {
		if e.Limit != nil && e.Limit.Origin.Setting == around.Origin.Setting {
			return true
		}
	}
	return false
}

// perAttempt is the fix that gives one attempt a limit, so that all of them fit
// under the limit around them.
func perAttempt(h hop, retry *chain.Retry, around time.Duration) []Fix {
	attempts := chain.MaxAttempts(retry, h.call)
	pauses := retry.Backoffs(attempts)
	for _, kind := range []chain.Kind{chain.AttemptDeadline, chain.ResponseHeader, chain.ResponseFirstByte} {
		for _, l := range openLimits(h.call) {
			if l.Kind != kind {
				continue
			}
			if fix, ok := set(l.Origin, below(l.Origin, (around-pauses)/time.Duration(attempts))); ok {
				fix.After = fmt.Sprintf("then %d attempts fit", attempts)
				return []Fix{fix}
			}
		}
	}
	return nil
}
