package chain

import (
	"testing"
	"time"
)

func TestTheWorstCaseOfATunnelHasTheAnswerToConnect(t *testing.T) {
	s := time.Second
	read := func(d time.Duration, why string) *Limit {
		l := limit(ResponseFirstByte, d, FiresError)
		l.Why = why
		return &l
	}
	for _, row := range []struct {
		n         string
		tunnel    bool
		tunnelled *Limit
		deadline  time.Duration
		want      time.Duration
		open      int // phases that are not counted
	}{
		{"no tunnel", false, nil, 0, 1*s + 2*s + 5*s, 0},
		{"its limit counts before the handshake", true, read(5*s, ""), 0, 1*s + 5*s + 2*s + 5*s, 0},
		{"none is for ever", true, read(Never, "not set"), 0, Never, 0},
		{"one that is not known is left out, and said", true, nil, 0, 1*s + 2*s + 5*s, 1},
		{"as is one that only run time knows", true, read(Never, WhyInjected), 0, 1*s + 2*s + 5*s, 1},
		{"a deadline of the attempt is over it", true, read(5*s, ""), 4 * s, 4 * s, 0},
		{"also where it is not known", true, nil, 4 * s, 4 * s, 0},
	} {
		c := &Call{To: &Node{Layer: "bank", Role: RoleLeaf}, Addresses: 1, TLS: true, Tunnel: row.tunnel, Tunnelled: row.tunnelled, Skips: []Moment{AtResolved}}
		limits := []Limit{limit(Connect, 1*s, FiresError), limit(TLSHandshake, 2*s, FiresError), limit(ResponseHeader, 5*s, FiresError)}
		limits[2].End = AtBodyEnd
		if row.deadline > 0 {
			limits = append(limits, limit(AttemptDeadline, row.deadline, FiresError))
		}
		c.Layers = []ClientLayer{{Limits: limits}}
		r := &Route{Method: "GET", Root: &Node{Layer: "api", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{c}}}}}
		if w := Worst(r, r.Root); w.Total != row.want || len(w.NotChecked) != row.open {
			t.Errorf("%s: %s with %q, want %s", row.n, Format(w.Total), w.NotChecked, Format(row.want))
		}
	}
}

func TestWhatATunnelConnectsToIsTheProxy(t *testing.T) {
	c := &Call{To: &Node{Layer: "bank"}, Tunnel: true}
	for kind, want := range map[FaultKind]string{
		Blackhole: "nothing comes back from the proxy on the way to bank, not even to a SYN",
		Refused:   "the proxy on the way to bank refuses connections",
		TLSStall:  "bank connects and never finishes the TLS handshake",
	} {
		if got := (Fault{Kind: kind, Call: c}).Text(); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}
