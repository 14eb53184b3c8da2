package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// The timers of WebClient, in words.
const (
	timerEach     = "connect, for each address"
	timerSilence  = "silence from the end of the request on"
	timerAttempt  = "one attempt"
	timerAttempts = "all attempts with their waits"
	timerRepeat   = "wait before a repeat"
	timerBroken   = "wait before the one repeat on a broken connection"
)

// settled is one timer that Boot's properties compete for with the client itself.
func (in clientInput) settled(out *clientOutput, timer string, s *setting, property *hc5Value) chain.Derivation {
	switch {
	case property == nil:
		d := s.derived(timer)
		d.Why = "nobody sets it"
		if s.written() {
			d.Why = "it is set on the client itself"
		}
		return d
	case !s.written():
		return chain.Derivation{Timer: timer, Settled: property.settled(), Why: "Boot's property counts where the client itself says nothing"}
	}
	d := s.derived(timer)
	d.Why = "what is set on the client itself counts before Boot's properties"
	d.Dropped = []chain.Dropped{{Origin: property.origin, Why: "Boot's property is for clients that say nothing themselves"}}
	if !property.unknown {
		out.Notices = append(out.Notices, property.beatenBy(s.hc5(), ""))
	}
	return d
}

// operatorTimers say of each operator what it bounds or repeats, by the order in
// which they are written.
func operatorTimers(ops []element) []chain.Derivation {
	var retries []int
	for i, op := range ops {
		if len(op.block.child("retryWhen")) > 0 {
			retries = append(retries, i)
		}
	}
	var out []chain.Derivation
	for i, op := range ops {
		if s := op.find("timeout"); s.written() {
			out = append(out, timeoutTimer(i, s, retries))
		}
	}
	return out
}

// timeoutTimer is what a timeout bounds: a retryWhen after it subscribes to it
// anew for each attempt, one before it does all its attempts within it.
func timeoutTimer(i int, s *setting, retries []int) chain.Derivation {
	after, _ := slices.BinarySearch(retries, i)
	before := after - 1 // the last retryWhen that stands before it
	d := s.derived(timerWhole)
	d.Why = "no retryWhen repeats the call"
	switch named := func(at int) string { return fmt.Sprintf("operators.%d.retryWhen", retries[at]) }; {
	case before < 0 && after < len(retries):
		d.Timer, d.Why = timerAttempt, "it stands before "+named(after)+", which subscribes to it anew for each attempt"
	case before >= 0 && after == len(retries):
		d.Timer, d.Why = timerAttempts, "it stands after "+named(before)
	case before >= 0:
		d.Timer, d.Why = timerAttempts, "it stands after "+named(before)+", and "+named(after)+" after it begins all of them anew"
	}
	return d
}

// repeatTimer is what a retryWhen repeats, and how long it waits before.
func repeatTimer(r *chain.Retry, filter *setting) chain.Derivation {
	d := chain.Derivation{Timer: timerRepeat, Settled: chain.Settled{Value: r.Interval.D, Winner: r.Interval.Origin}}
	if !r.Interval.Declared() {
		d.Winner = r.Attempts.Origin
	}
	after := "every failure, one within the body included"
	if filter.written() {
		after = strings.Join(filter.words(), ", ")
	}
	if len(r.On) == 0 {
		d.Settled.Value, d.Off = chain.Never, true
		d.Why = "nothing that its filter names comes to retryWhen"
		return d
	}
	times := "once"
	switch n := r.Attempts.N; {
	case n == chain.Endless:
		times = "without end"
	case n != 2:
		times = fmt.Sprintf("up to %d times", n-1)
	}
	d.Why = "retryWhen subscribes again " + times + " after " + after
	if r.Multiplier > 0 {
		d.Why += "; each further wait is twice as long"
	}
	if drawn := r.Drawn(); drawn != "" {
		d.Why += "; a wait is " + drawn
	}
	return d
}

// resend is what Reactor Netty repeats by itself, which disableRetry switches
// off: nothing once the request's header is written, as in every fault of a trace.
func (in clientInput) resend() chain.Derivation {
	s := in.find("disableRetry")
	d := chain.Derivation{Timer: timerBroken, Settled: chain.Settled{Value: 0, Winner: s.origin}}
	d.Why = "Reactor Netty repeats a request of any method whose connection breaks before its header is written, never one that was sent"
	if s.on() {
		d.Settled.Value, d.Off = chain.Never, true
		d.Why = "only a request whose header was not written yet was repeated at all: what was sent fails as before"
	}
	return d
}
