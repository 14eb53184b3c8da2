package check

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

var retryUnsafe = &Rule{
	ID:        "retry-unsafe",
	Title:     "a request that is not idempotent is sent again after it was written",
	Why:       "No answer does not mean that nothing was done. Whoever sends an order or a payment again after a timeout, a broken connection or a 503 may do it twice, and the person sees one success; so may who turns to another provider. Many clients repeat by default. Repeat only what failed before it was sent, or give the request an idempotency key that the callee honours, and declare it on the route.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "the person may well have a good answer, and what was asked for is done twice",
	Check:     checkRetryUnsafe,
}

func checkRetryUnsafe(p *Pass) {
	p.eachHop(func(h hop) {
		unsafe, sure := repeatsHarm(h)
		if !unsafe {
			return
		}
		for _, r := range repeaters(h) {
			harms := func(c chain.Cond) bool {
				return mayBeDone(c) || c == chain.CondCut && r.retry.AllowsCut(h.from, h.method(), chain.CondCut)
			}
			if conds := repeated(h, r.retry, harms); len(conds) > 0 {
				reportUnsafe(p, h, r.retry, r.attempts, conds, sure)
			}
		}
		checkElsewhere(p, h)
		if r := h.call.Resend; r != nil && len(h.call.Idle) > 0 && r.Allows(chain.CondStale, h.method(), true) {
			reportUnsafe(p, h, r, chain.MaxAttempts(r, h.call), []chain.Cond{chain.CondStale}, sure)
		}
	})
}

// repeatsHarm reports whether a request of the call must not be sent twice, and
// whether that is known or only not declared.
func repeatsHarm(h hop) (unsafe, sure bool) {
	r, method := h.route, h.call.Method
	switch {
	case r.IdempotencyKey != "":
		return false, false
	case method == "" || method == r.Method:
		return !r.IsIdempotent(), r.Method != "" || r.Idempotent != nil
	case r.Idempotent != nil && *r.Idempotent:
		return false, false
	}
	return !(&chain.Route{Method: method}).IsIdempotent(), !r.IsIdempotent()
}

func reportUnsafe(p *Pass, h hop, retry *chain.Retry, attempts int, conds []chain.Cond, sure bool) {
	sev := Error
	if !sure {
		sev = Warning
	}
	o := retry.Attempts.Origin
	if o.Source == "" {
		o = retry.Origin
	}
	what := "a request that is not idempotent"
	if !sure {
		what = "a request that is not declared idempotent"
	}
	f := h.found(Finding{
		Setting:  o.Setting,
		Severity: soften(sev, o), Pos: o.Pos, Label: "sends it again" + known(o),
		Message: fmt.Sprintf("%s sends %s to %s %s, again after %s, when it may have been done%s",
			h.from.Layer, what, h.call.To.Layer, upTo(attempts), chain.CondText(conds), nobodyWrote(retry)),
		Fixes: onceOnly(retry),
		Trace: h.shown(func(t chain.Trace) bool {
			return repeatedAfter(t, h, retry, conds)
		}),
	})
	if at := retry.Origin.Pos; at != o.Pos && retry.Origin.Source == chain.Written {
		f.Related = append(f.Related, Related{Pos: at, Message: "repeats after " + chain.CondText(conds) + known(retry.Origin)})
	}
	p.Report(f)
}

// repeatedAfter reports whether a policy of the hop repeats in a trace after one of
// some failures.
func repeatedAfter(t chain.Trace, h hop, retry *chain.Retry, conds []chain.Cond) bool {
	return slices.ContainsFunc(t.Events, func(e chain.Event) bool {
		return e.Kind == chain.EvRetries && e.Retry == retry && slices.Contains(conds, e.Cond)
	})
}
