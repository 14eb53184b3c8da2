package chain

import "time"

// A Stack is one team's description, resolved: every value in force, per route.
type Stack struct {
	Name       string
	Dir        string // where it was read from, with forward slashes
	Routes     []*Route
	Policy     Policy
	NotChecked []NotChecked
	// Notices are facts that the resolvers found out and that rules report:
	// a written value that another one beats, and the like.
	Notices []Notice
}

// A Policy is what a team decides about the checks.
type Policy struct {
	ErrorRoom   time.Duration     // 0: the smaller of 1 s and 5 % of the outer limit
	PoolAgainst string            // "limit" (also ""), "p99" or "avg"
	Severity    map[string]string // rule id to "error", "warning", "info" or "off"
	Ignore      []Ignore
}

// An Ignore is a suppression, by policy entry or by attribute on a value.
type Ignore struct {
	Rule, Reason, Until string
	At                  Range    // what it stands on or where the entry is
	Settings            []string // the setting paths it covers; nil is all
	Routes, Layers      []string // what it is narrowed to; nil is all
}

// NotChecked is something that could not be known, and why.
type NotChecked struct {
	Route, Layer, Setting, Reason string
}

// A Notice is a fact about written settings that a rule turns into a finding.
type Notice struct {
	Kind    NoticeKind
	Layer   string
	Origin  Origin // the setting it is about
	Winner  Origin // the setting that wins, or the value that is in force
	Message string // what happens, subject first, no final stop
	Routes  []string
}

// NoticeKind is the id of the rule that reports the notice.
type NoticeKind string

// What a resolver can notice.
const (
	NoticeShadowed NoticeKind = "shadowed"
	NoticeZero     NoticeKind = "zero-is-infinite"
	NoticeImplicit NoticeKind = "implicit"
	NoticeIgnored  NoticeKind = "ignored-value"
	NoticeRejected NoticeKind = "rejected"
	NoticeUnit     NoticeKind = "unit-trap"
	NoticeSticky   NoticeKind = "sticky-limit"
	NoticeBoundary NoticeKind = "version-boundary"
)

// A Route is one request pattern with the layers that its requests cross.
type Route struct {
	Name           string // the pattern as written: "GET /v1/pay"
	Pos            Range
	Method         string // "" is any method, the worst one counts
	Host, Pathname string
	Prefix         bool     // the pattern ends in a slash and covers what is below
	Path           []string // the spine, from the person to the last layer
	Entrance       string   // the name under `paths`, "" if there is one path
	Root           *Node

	TPS            int64 // requests per 1000 s, peak, over all instances; 0 is not declared
	Concurrent     Size
	Idempotent     *bool // nil is by method
	IdempotencyKey string
	Within         Value
	QuietFor       Value
	Protocol       string
	Upload         *Upload
	Response       Response
	NotChecked     []NotChecked
}

// An Upload is a request body that takes time.
type Upload struct {
	Bytes, BytesPerSecond int64
	Origin                Origin
}

// A Mode is the form of an answer.
type Mode string

// The forms of an answer. The zero value is Unary.
const (
	Unary     Mode = ""
	Stream    Mode = "stream"
	Download  Mode = "download"
	WebSocket Mode = "websocket"
	Poll      Mode = "poll"
)

// A Response is what the last layer sends and how.
type Response struct {
	Mode                          Mode
	First, Silence, Total         Value
	HeartbeatEvery                Value
	HeartbeatFrom                 string
	DownloadBytes, BytesPerSecond int64
}

// HasBody reports whether requests of the route carry a body: by declaration,
// else by method; a route for any method is taken to have one.
func (r *Route) HasBody() bool {
	if r.Upload != nil {
		return true
	}
	switch r.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "DELETE":
		return false
	}
	return true
}

// IsIdempotent reports whether a request may be sent twice: as declared, else by method.
func (r *Route) IsIdempotent() bool {
	if r.Idempotent != nil {
		return *r.Idempotent
	}
	switch r.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE":
		return true
	}
	return r.IdempotencyKey != ""
}

// Nodes are the layers of the route, outermost first, each call's callee after its caller.
func (r *Route) Nodes() []*Node {
	var out []*Node
	var walk func(*Node)
	walk = func(n *Node) {
		out = append(out, n)
		for _, c := range n.Calls() {
			walk(c.To)
		}
	}
	walk(r.Root)
	return out
}

// A Role says what a layer does with what it gets back.
type Role string

// The roles. A passing layer forwards bytes as they come; a buffering layer
// answers once, after its work.
const (
	RoleCaller    Role = "caller"    // the outermost: a person's browser or program
	RolePassing   Role = "passing"   // a proxy, a balancer, an app with relay: true
	RoleBuffering Role = "buffering" // an app
	RoleUnknown   Role = "unknown"   // passes on and promises nothing
	RoleLeaf      Role = "leaf"      // external: only what it declares is known
)

// Cancel says what a layer does with its own call when its caller leaves.
type Cancel string

// What can happen to the inner work. CancelUnknown is treated as ignored.
const (
	CancelUnknown    Cancel = ""
	CancelPropagates Cancel = "propagates"
	CancelIgnored    Cancel = "ignored"
	CancelOnWrite    Cancel = "on-write"
)

// A Node is one layer as one route meets it.
type Node struct {
	Layer     string // the team's name for it: "proxy"
	Type      string // the key of its type: "nginx"
	Product   string // for people: "nginx 1.28.0"
	Owner     string
	Role      Role
	Cancel    Cancel
	Instances Size // not declared: one is counted, and said
	ScaleMax  int
	Serve     []Limit // timers of its answering side
	// Concurrency is how many requests it works on at once; 0 with a declared origin is no bound.
	Concurrency Size
	Steps       []Step // its calls: one step after the other, those of a step at once
	Answers     []Answer
	Work        Work
	Deadline    Deadline
	ErrorRoom   Value // beats the policy's where declared
	Announces   Value // the idle time that it tells its callers, Never if it tells none; not declared if unknown
	Settings    []Setting
	Pos         Range
	// NotChecked are phases that this product cannot bound, by kind.
	Unbounded []Unbounded
}

// An Answer is the status that a layer writes itself when a call failed in one way.
type Answer struct {
	Cond   Cond
	Status int // 0: it closes the connection
}

// Unbounded is a phase that no setting of a product ends.
type Unbounded struct {
	Phase  Moment // the moment that may never come
	Reason string
}

// A Setting is one resolved setting in native form, for emitters and reports.
type Setting struct {
	Block  string // the block that it belongs to: "server", "upstream"
	Value  string // in the product's own syntax
	Origin Origin
}

// Calls are the calls of all steps in order.
func (n *Node) Calls() []*Call {
	var out []*Call
	for _, s := range n.Steps {
		out = append(out, s.Calls...)
	}
	return out
}

// ServeLimit is the answering side's limit of a kind; the smallest if there are several.
func (n *Node) ServeLimit(k Kind) (Limit, bool) { return smallest(n.Serve, k) }

// A Step is calls that run at the same time.
type Step struct{ Calls []*Call }

// Work is a layer's own time, without its calls. Not declared counts as nothing.
type Work struct{ Avg, P99, Max Value }

// A Deadline is the budget that an app declares for its own answer.
type Deadline struct {
	Total, PerCall, Reserve Value
	// Enforced says that a call is really ended when its share is spent. A
	// deadline that is not enforced shapes budgets between calls but ends no
	// blocked read.
	Enforced bool
	Header   string // the header in which it is sent on
	From     string // the header from which it is shortened
}

// A Call is one layer calling the next under its limits.
type Call struct {
	To       *Node
	Client   string // the name of the client, in an app
	Product  string // "httpclient5 5.5.1"; the node's own for a proxy
	Times    int    // how often in a row; 0 is once
	Fallback bool   // a failure is not passed on
	Detached bool   // background: its caller does not wait
	Method   string // "" is the route's

	// Layers are the layers of the client, outer first; the last one is the
	// transport, which makes the attempt itself.
	Layers []ClientLayer

	Pool      *Pool // nil: no pool that could run out
	TLS       bool
	Tunnel    bool
	Addresses int  // what one attempt may dial in turn, or what retries may choose from; at least 1
	OneByOne  bool // an attempt dials one address only, as balancers do
	Eject     *Ejection
	// Idle is how long the caller keeps an idle connection, smallest first; nil if it never reuses one.
	Idle []Limit
	// HonoursAnnounced says that an announced keep-alive time replaces Idle.
	HonoursAnnounced bool
	// HoldsBack says that the caller, a passing layer, collects the response in a
	// buffer: of a few bytes nothing goes on, the header included, until the
	// response ends or is cut.
	HoldsBack bool
	// Resend is what the product does by itself when a reused connection was closed.
	Resend *Retry
	// Upkeep are timers of its connections that end no exchange: max-lifetime,
	// stale-check, evict, drain, ping and probe.
	Upkeep    []Limit
	Unbounded []Unbounded
	// Derivations say how competing settings were settled, a timer each; nil
	// where every timer has one setting.
	Derivations []Derivation
	Skips       []Moment // phases that the caller's product does not have
	Pos         Range
}

// A Derivation is how one timer got its value where several settings compete.
type Derivation struct {
	Timer   string        // in words: "read, on a fresh connection"
	Value   time.Duration // Never is no limit
	Winner  Origin
	Why     string // which entrance was taken, and which version decides
	Dropped []Dropped
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

// Limits are the limits of all layers of the client, outer first.
func (c *Call) Limits() []Limit {
	var out []Limit
	for _, p := range c.Layers {
		out = append(out, p.Limits...)
	}
	return out
}

// Limit is the smallest limit of a kind.
func (c *Call) Limit(k Kind) (Limit, bool) { return smallest(c.Limits(), k) }

func smallest(ls []Limit, k Kind) (out Limit, ok bool) {
	for _, l := range ls {
		if l.Kind == k && (!ok || l.Bound < out.Bound) {
			out, ok = l, true
		}
	}
	return out, ok
}
