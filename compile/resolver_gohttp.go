package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustGoHTTP settles what a net.Dialer makes of a zero: its own 15 s, also where
// http.DefaultTransport, whose dialer says 30 s, is what is changed.
func adjustGoHTTP(e *effective) {
	for _, s := range e.settings {
		keepsAlive := slices.ContainsFunc(s.field.Limits, func(l LimitSpec) bool { return l.Kind == chain.TCPKeepalive && l.Side == chain.Calling })
		if keepsAlive && s.written() && s.state == known && s.d == 0 {
			s.sets("15s", "15s")
			s.origin.Note = "0 acts as 15s"
		}
	}
}
