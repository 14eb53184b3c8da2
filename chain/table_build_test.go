package chain

import (
	"fmt"
	"testing"
	"time"
)

// A table row is a sentence, the fault that it is about, and what Play says.
type row struct {
	says  string // the sentence
	route *Route
	fault FaultKind
	at    string // the layer whose call goes wrong
	want  string // the outcome: "504 from proxy at 10s", "gives up by web at 3s"
	tries int    // requests and dials of that layer, if not 0
	then  []string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.says, func(t *testing.T) {
			tr := playAt(t, row.route, row.fault, row.at)
			if got := outcomeText(tr.Outcome); got != row.want {
				t.Errorf("got %s, want %s\n%s", got, row.want, brief(tr))
			}
			if got := tries(tr, row.at); row.tries != 0 && got != row.tries {
				t.Errorf("got %d attempts, want %d\n%s", got, row.tries, brief(tr))
			}
			for _, want := range row.then {
				if !happens(tr, want) {
					t.Errorf("no %q in %s", want, brief(tr))
				}
			}
			agrees(t, row.route, tr.Fault)
		})
	}
}

// playAt plays the fault of one kind at the call of one layer.
func playAt(t *testing.T, r *Route, k FaultKind, layer string) Trace {
	t.Helper()
	for _, f := range Faults(r) {
		if f.Kind == k && f.From.Layer == layer {
			return Play(r, f)
		}
	}
	t.Fatalf("the route has no fault %s at %s", k, layer)
	return Trace{}
}

// tries counts the attempts of a layer: each ends in one of these or is answered.
func tries(tr Trace, layer string) int {
	n := 1
	for _, e := range tr.Events {
		if e.Node.Layer == layer && e.Kind == EvRetries {
			n++
		}
	}
	return n
}

// happens reports whether an event is in the trace: "10s proxy timeout".
func happens(tr Trace, want string) bool {
	for _, e := range tr.Events {
		text := fmt.Sprintf("%s %s %s", Format(e.At), e.Node.Layer, e.Kind)
		if e.Status != 0 {
			text += fmt.Sprintf(" %d", e.Status)
		}
		if text == want {
			return true
		}
	}
	return false
}

func outcomeText(o Outcome) string {
	text := o.Error
	if o.Status != 0 && !(o.Error == "cut short") {
		text = fmt.Sprint(o.Status)
		if o.Error != "" {
			text += ", " + o.Error
		}
	} else if o.Status != 0 {
		text = fmt.Sprintf("%d cut short", o.Status)
	}
	if o.From != nil {
		text += " from " + o.From.Layer
	}
	if o.At != Never {
		text += " at " + Format(o.At)
	}
	return text
}

// A hop is a layer with the call that it makes to the next one.
type hop struct {
	node *Node
	call *Call
}

// way is a route through layers, outermost first; the last one makes no call.
func way(method string, hops ...hop) *Route {
	r := &Route{Name: method + " /", Method: method, Root: hops[0].node}
	for i, h := range hops {
		r.Path = append(r.Path, h.node.Layer)
		if i+1 < len(hops) {
			h.call.To = hops[i+1].node
			h.node.Steps = []Step{{Calls: []*Call{h.call}}}
		}
	}
	return r
}

func transportOf(ls ...Limit) []ClientLayer { return []ClientLayer{{Limits: ls}} }

// web is a person who waits for so long, or forever.
func web(total time.Duration) hop {
	return hop{&Node{Layer: "web", Role: RoleCaller, Cancel: CancelPropagates},
		&Call{Addresses: 1, Layers: transportOf(limit(TotalDeadline, total, FiresError))}}
}

// nginx is a proxy like NGINX: a limit of the header, a gap of the body, one
// connect limit over TCP and TLS.
func nginx(addresses int, connect, read time.Duration) hop {
	both := limit(Connect, connect, "504")
	both.End = AtSecured
	call := &Call{Addresses: addresses, OneByOne: true, TLS: true, Skips: []Moment{AtResolved},
		Idle: []Limit{limit(IdleKeepalive, time.Minute, FiresClose)},
		Layers: transportOf(both, limit(WriteGap, 60*time.Second, "504"),
			limit(ResponseHeader, read, "504"), limit(ResponseReadGap, read, FiresCut))}
	node := &Node{Layer: "proxy", Role: RolePassing, Cancel: CancelPropagates,
		Answers: []Answer{{CondRefused, 502}, {CondReset, 502}, {CondStale, 502}, {CondKilled, 502}}}
	return hop{node, call}
}

// nextUpstream lets a proxy go on to its next address, as NGINX does.
func nextUpstream(h hop, tries int, window time.Duration) hop {
	h.call.Layers[0].Retry = &Retry{Attempts: size("proxy_next_upstream_tries", tries), CapAddresses: true,
		On:        []Cond{CondRefused, CondReset, CondStale, CondKilled, CondConnectTimeout, CondTLSTimeout, CondWriteTimeout, CondTimeout},
		OnMethods: []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}}
	if window > 0 {
		h.call.Layers[0].Retry.Window = value("proxy_next_upstream_timeout", window)
	}
	return h
}

// app is a buffering layer with a client of these limits.
func app(c *Call) hop {
	c.Addresses = max(c.Addresses, 1)
	return hop{&Node{Layer: "app", Role: RoleBuffering, Cancel: CancelIgnored}, c}
}

func external(p99 time.Duration) hop {
	n := &Node{Layer: "ext", Role: RoleLeaf}
	if p99 > 0 {
		n.Work.P99 = value("latency.p99", p99)
	}
	return hop{node: n}
}

// server is the answering side of a layer.
func server(h hop, ls ...Limit) hop {
	h.node.Serve = ls
	return h
}
