package chain

import (
	"slices"
	"time"
)

// A Call is one layer calling the next under its limits.
type Call struct {
	To       *Node
	Client   string // the name of the client, in an app
	Product  string // "httpclient5 5.5.1"; the node's own for a proxy
	Times    int    // how often in a row; 0 is once
	AtOnce   int    // how often at the same time, each of Times; 0 is once
	Requests int    // how often in all; 0 is once
	Fallback bool   // a failure is not passed on
	Detached bool   // background: its caller does not wait
	Method   string // "" is the route's
	// Instead is the earlier call of the same layer that this one stands in for: it is
	// made only where that one failed by one of InsteadOn, nil for any failure, which
	// is then not passed on.
	Instead   *Call
	InsteadOn []Cond
	InsteadAt Origin // where that is written

	// Layers are the layers of the client, outer first; the last one is the
	// transport, which makes the attempt itself.
	Layers []ClientLayer

	// Reused are what an attempt on a pooled connection can have in the place of the
	// transport's limits of the same kinds: one list for each thing that the requests
	// before may have left on it. nil where a read has the same limits on every one.
	Reused [][]Limit

	Pool *Pool // nil: no pool that could run out
	TLS  bool
	// Via is the forward proxy whose tunnel leads to the callee, "" for none: what is
	// dialled is the proxy, and the handshake is with the callee behind it.
	Via       string
	Addresses int  // what one attempt may dial in turn, or what retries may choose from; at least 1
	OneByOne  bool // an attempt dials one address only, as balancers do
	// Next is how long a dial that nobody answers keeps the next of several addresses
	// waiting within an attempt. Never is one that dials the first address alone, the next
	// time as well; not declared is a balancer with OneByOne, or not known.
	Next Value
	// NextBeside says that the dial before goes on beside the next one, and may be answered.
	NextBeside bool
	// DialsOn says that a dial goes on to its own limit when the attempt that made it is
	// over, and keeps its place in the Pool until then.
	DialsOn bool
	Eject   *Ejection
	// Idle is how long the caller keeps an idle connection, smallest first; nil if it
	// never reuses one. What the callee announces is in it where the caller minds that.
	Idle []Limit
	// KeepsUnknown is why nobody can say how long the caller keeps an idle connection;
	// "" where Idle says it.
	KeepsUnknown string
	// HoldsBack says that the caller, a passing layer, collects the response in a
	// buffer: of a few bytes nothing goes on, the header included, until the
	// response ends or is cut.
	HoldsBack   bool
	HoldsBackAt Origin     // the setting that says so
	NoUpgrade   *NoUpgrade // nil: the callee may upgrade the connection to a WebSocket
	// Collects says that the caller, a passing layer, has the whole body of a
	// request before it calls.
	Collects bool
	// Resend is what the product does by itself when a reused connection was closed.
	Resend *Retry
	// RTT is the way to the callee and back; not declared counts as nothing.
	RTT Value
	// Redirects is how often the callee sends the caller on before it answers.
	Redirects int
	// Refuses is the setting by which its caller makes no call at all; the zero Origin is none.
	Refuses Origin
	// Upkeep are timers of its connections that end no exchange: max-lifetime,
	// stale-check, evict, drain, ping and probe.
	Upkeep []Limit
	// Check is the health check that the caller makes of its callee; nil if there is none.
	Check     *HealthCheck
	Unbounded []Unbounded
	// Derivations say how competing settings were settled, a timer each; nil
	// where every timer has one setting.
	Derivations []Derivation
	Skips       []Moment // phases that the caller's product does not have

	// Pos is the step that makes the call, where one is written, else its client;
	// Setting is what stands there: "api.app.calls[0].bank".
	Pos     Range
	Setting string
	// ClientAt is where the client stands: Layer, Setting ("api.app.clients.bank") and
	// Pos of it, or of the layer where it is one product or no client is declared.
	ClientAt Origin
}

// A NoUpgrade is why what a caller asks for is never upgraded to a WebSocket.
type NoUpgrade struct {
	By     Origin   // the setting that decides
	Label  string   // what it says, at its line: "no upgrade in HTTP/1.0"
	Asks   string   // how it asks, after the callee: "in HTTP/1.0, in which a server ignores Upgrade"
	Remedy []Change // with all of them it is upgraded; nil: not known
}

// A Derivation is how one timer got its value where several settings compete.
type Derivation struct {
	Timer string // in words: "read, on a fresh connection"
	Settled
	Off     bool   // Value is Never since it does not happen, not since nothing limits it
	Why     string // which entrance was taken, and which version decides
	Else    []Else // what the value is instead, where requests before decide
	Dropped []Dropped
}

// A Settled is a value with the setting that it is from.
type Settled struct {
	Value   time.Duration // Never is no limit
	Unknown bool          // it is given at run time only
	Winner  Origin
}

// An Else is a value that a timer has only at times, and when: "after GET /balance".
type Else struct {
	Settled
	When string
}

// Dropped is a written value that has no effect on a timer, and why.
type Dropped struct {
	Origin Origin
	Why    string
}

// A ClientLayer is the limits and the retry policy of one layer of a client.
type ClientLayer struct {
	Name   string // "" for the transport
	Limits []Limit
	Retry  *Retry
}

// Limits are the limits of all layers of the client, outer first. They are not
// to be changed: of a client of one layer they are its own.
func (c *Call) Limits() []Limit {
	var out []Limit
	for _, p := range c.Layers {
		if len(out) == 0 {
			out = slices.Clip(p.Limits)
		} else {
			out = append(out, p.Limits...)
		}
	}
	return out
}

// KnowsTunnel reports whether it is known how long the answer to CONNECT is waited for.
func (c *Call) KnowsTunnel() bool {
	return slices.ContainsFunc(c.Limits(), func(l Limit) bool { return l.Kind == Tunnel })
}

// DialsNext reports whether it is known what a dead address among several does: when the
// next one is dialled, within an attempt or by the one after it.
func (c *Call) DialsNext() bool {
	return c.Addresses > 1 && c.Via == "" && (c.OneByOne || c.Next.Declared())
}

// Limit is the smallest limit of a kind; one that only tells the program is none.
func (c *Call) Limit(k Kind) (Limit, bool) { return smallest(c.Limits(), k) }

// Watching is the limit of a call of n that ends the wait for its callee's answer
// first, n's enforced deadline among them; ok is false if none does.
func (n *Node) Watching(c *Call) (out Limit, ok bool) {
	limits := c.Limits()
	if d, has := n.Deadline.Limit(0); has {
		limits = append(limits, d)
	}
	for i := range limits {
		if l := &limits[i]; l.Covers(AtFirstByte) && l.Bound != Never && l.Ends() && (!ok || l.Bound < out.Bound) {
			out, ok = *l, true
		}
	}
	return out, ok
}

func smallest(ls []Limit, k Kind) (out Limit, ok bool) {
	for i := range ls {
		if l := &ls[i]; l.Kind == k && l.Ends() && (!ok || l.Bound < out.Bound) {
			out, ok = *l, true
		}
	}
	return out, ok
}
