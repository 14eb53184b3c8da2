package chain

import (
	"strings"
	"testing"
	"time"
)

func TestTheWorstCaseOfATunnelHasTheAnswerToConnect(t *testing.T) {
	s := time.Second
	answer := func(d time.Duration, why string) []Limit {
		l := limit(Tunnel, d, FiresError)
		l.Why = why
		return []Limit{l}
	}
	for _, row := range []struct {
		n        string
		via      string
		tunnel   []Limit
		deadline time.Duration
		want     time.Duration
		open     int // phases that are not counted
	}{
		{"no tunnel", "", nil, 0, 1*s + 2*s + 5*s, 0},
		{"its limit counts before the handshake", "squid", answer(5*s, ""), 0, 1*s + 5*s + 2*s + 5*s, 0},
		{"none is for ever", "squid", answer(Never, "not set"), 0, Never, 0},
		{"one that is not known is left out, and said", "squid", nil, 0, 1*s + 2*s + 5*s, 1},
		{"as is one that only run time knows", "squid", answer(Never, WhyInjected), 0, 1*s + 2*s + 5*s, 1},
		{"a deadline of the attempt is over it", "squid", answer(5*s, ""), 4 * s, 4 * s, 0},
		{"also where it is not known", "squid", nil, 4 * s, 4 * s, 0},
	} {
		c := &Call{To: &Node{Layer: "bank", Role: RoleLeaf}, Addresses: 1, TLS: true, Via: row.via, Skips: []Moment{AtResolved}}
		limits := []Limit{limit(Connect, 1*s, FiresError), limit(TLSHandshake, 2*s, FiresError), limit(ResponseHeader, 5*s, FiresError)}
		limits[1].Start, limits[2].End = AtTunnelled, AtBodyEnd
		limits = append(limits, row.tunnel...)
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
	c := &Call{To: &Node{Layer: "bank"}, Via: "squid"}
	for kind, want := range map[FaultKind]string{
		Blackhole:   "nothing comes back from the proxy on the way to bank, not even to a SYN",
		TunnelStall: "the proxy on the way to bank connects and never answers CONNECT",
		Refused:     "the proxy on the way to bank refuses connections",
		TLSStall:    "bank connects and never finishes the TLS handshake",
	} {
		if got := (Fault{Kind: kind, Call: c}).Text(); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}

func TestAProxyThatDoesNotAnswerConnectEndsByTheLimitOfThat(t *testing.T) {
	s := time.Second
	for _, row := range []struct {
		n      string
		limits []Limit
		want   string // "" is no such fault
	}{
		{"the limit of the answer counts from the connect on", []Limit{limit(Connect, 1*s, FiresError), limit(Tunnel, 10*s, FiresError), limit(TLSHandshake, 2*s, FiresError)}, "gives up at 10s"},
		{"a deadline around it is over it", []Limit{limit(Tunnel, 10*s, FiresError), limit(TotalDeadline, 3*s, FiresError)}, "gives up at 3s"},
		{"without one it is waited for without end", []Limit{limit(Tunnel, Never, FiresError), limit(TLSHandshake, 2*s, FiresError)}, "never ends"},
		{"where none is known nothing is said", []Limit{limit(TLSHandshake, 2*s, FiresError)}, ""},
	} {
		c := &Call{To: &Node{Layer: "bank", Role: RoleLeaf}, Addresses: 1, TLS: true, Via: "squid", Layers: []ClientLayer{{Limits: row.limits}}}
		for i := range row.limits {
			if row.limits[i].Kind == TLSHandshake {
				row.limits[i].Start = AtTunnelled
			}
		}
		r := &Route{Method: "GET", Root: &Node{Layer: "api", Role: RoleCaller, Steps: []Step{{Calls: []*Call{c}}}}}
		got := ""
		for _, f := range Faults(r) {
			if f.Kind == TunnelStall {
				tr := Play(r, f)
				got = strings.TrimPrefix(tr.Outcome.Text(), "api ")
			}
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.n, got, row.want)
		}
	}
}
