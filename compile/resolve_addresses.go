package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// nextDial is when a dial that nobody answers makes way for the next address: where a
// limit for each one fires, or what the product's resolver says. Clients that dial one
// address alone take the first.
func (e *effective) nextDial(out clientOutput) chain.Value {
	next := out.Next
	if next.D == chain.Never && next.Declared() {
		return next
	}
	if e.typ.OneByOne && !next.Declared() {
		if e.typ.Category != "client" {
			return chain.Value{}
		}
		return chain.Value{D: chain.Never, Origin: e.itself()}
	}
	for _, l := range out.Limits {
		if (l.Kernel || !out.Next.Declared()) && l.Kind == chain.Connect && l.Side == chain.Calling && l.Per == chain.PerAddress && l.Ends() && !l.Unknown() && (!next.Declared() || l.Bound < next.D) {
			next = chain.Value{D: l.Bound, Origin: l.Origin}
		}
	}
	return next
}

// connectLimit is the limit of a call's connect that ends it first; ok is false if
// nothing does.
func connectLimit(limits []chain.Limit) (out chain.Limit, ok bool) {
	for _, l := range limits {
		if l.Kind == chain.Connect && l.Side == chain.Calling && l.Ends() && l.Bound != chain.Never && (!ok || l.Bound < out.Bound) {
			out, ok = l, true
		}
	}
	return out, ok
}

// Of the time that a dialer of Go has, each address that is left gets an equal share, but
// at least 2 s, https://github.com/golang/go/blob/go1.26.0/src/net/dial.go#L262. Until 1.23
// that time ended with the request's context, https://github.com/golang/go/issues/59017.
const (
	goLeastShare   = 2 * time.Second
	goDialDetached = "1.23"
)

// resolveGoHTTP says how long a dead address keeps the next one waiting, and how often a
// request may meet a connection that was closed.
func resolveGoHTTP(in clientInput) clientOutput {
	out := in.Defaults
	out.Resend = in.goResend(out.Resend)
	dial, ok := connectLimit(out.Limits)
	if !ok || in.Addresses < 2 {
		return out
	}
	left, origin := dial.Bound, dial.Origin
	if golang := in.versions.golang.text(); golang != "" && !atLeast(golang, goDialDetached) {
		for _, name := range []string{"Timeout", "context.timeout"} {
			if s := in.find(name); s != nil && s.finite() && s.d < left {
				left, origin = s.d, s.origin
			}
		}
	}
	share := min(left, max(goLeastShare, left/time.Duration(in.Addresses)))
	origin.Name, origin.Source, origin.Place = "share of "+origin.Name, chain.Derived, nil
	out.Next = chain.Value{D: share, Origin: origin}
	return out
}
