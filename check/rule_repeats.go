package check

import (
	"fmt"
	"strconv"

	"tchain.dev/tchain/chain"
)

// A repeater is one policy of a call that sends its request again.
type repeater struct {
	hop      hop
	retry    *chain.Retry
	name     string // of the client's layer; "" for the transport
	attempts int
}

// repeaters are the policies of a call that make more than one attempt of the
// route's requests, outer first.
func repeaters(h hop) []repeater {
	var out []repeater
	for _, l := range h.call.Layers {
		if n := chain.MaxAttempts(l.Retry, h.call); n > 1 && len(repeated(h, l.Retry, anyCond)) > 0 {
			out = append(out, repeater{h, l.Retry, l.Name, n})
		}
	}
	return out
}

// method is the method of the call's requests; "" is any.
func (h hop) method() string {
	if h.call.Method != "" {
		return h.call.Method
	}
	return h.route.Method
}

// repeated are the failures of a kind after which the policy sends the call's
// request again.
func repeated(h hop, retry *chain.Retry, kind func(chain.Cond) bool) []chain.Cond {
	var out []chain.Cond
	for _, c := range retry.On {
		if kind(c) && retry.Allows(c, h.method(), written(c)) {
			out = append(out, c)
		}
	}
	return out
}

func anyCond(chain.Cond) bool { return true }

// written reports whether the whole request had been written when it failed so.
func written(c chain.Cond) bool {
	switch c {
	case chain.CondTimeout, chain.CondReset, chain.CondStale, chain.CondKilled, chain.CondCut, chain.CondDeadline:
		return true
	}
	return isStatus(c)
}

// mayBeDone reports whether the callee may have done its work when it failed
// so: a request that it turned away by 429 was not begun, and a response that
// was cut is asked for again only by who reads it to its end.
func mayBeDone(c chain.Cond) bool {
	return written(c) && c != "429" && c != chain.CondCut
}

// repeatedBy are the events of a trace in which the hop sends its request again
// after a failure of a kind.
func repeatedBy(t chain.Trace, h hop, kind func(chain.Cond) bool) int {
	n := 0
	for _, e := range t.Events {
		if e.Kind == chain.EvRetries && e.Node == h.from && e.Peer == h.call.To && kind(e.Cond) {
			n++
		}
	}
	return n
}

// isStatus reports whether a condition is a status that the callee answered.
func isStatus(c chain.Cond) bool {
	_, err := strconv.Atoi(string(c))
	return err == nil
}

// onceOnly are the fixes that leave one attempt. A product counts the attempts
// or the repeats, so both are tried.
func onceOnly(retry *chain.Retry) []Fix {
	var out []Fix
	for _, n := range []int{1, 0} {
		if fix, ok := setNumber(retry.Attempts.Origin, n); ok {
			fix.After = "then it is sent once"
			out = append(out, fix)
		}
	}
	return out
}

// nobodyWrote is what to add of a policy that is the product's own.
func nobodyWrote(r *chain.Retry) string {
	if !r.Hidden {
		return ""
	}
	o := r.Attempts.Origin
	switch {
	case o.Source != chain.Default || o.Name == "":
		return "; nobody wrote that, it is what the product does"
	case r.Attempts.N == 0:
		return fmt.Sprintf("; nobody wrote that, %s is %s by default, as often as there are addresses", o.Name, o.Text)
	}
	return fmt.Sprintf("; nobody wrote that, %s is %s by default", o.Name, o.Text)
}

// found are the findings of other rules on the same stack: what they report is
// not reported a second time under another name.
func (p *Pass) found(rules ...*Rule) []Finding {
	var out []Finding
	for _, r := range rules {
		out = append(out, p.memo.reported(p.Stack, r)...)
	}
	return out
}
