package chain

import (
	"net/http"
	"slices"
	"time"
)

// A Stack is one team's description, resolved: every value in force, per route.
type Stack struct {
	Name       string
	Dir        string // where it was read from, with forward slashes
	Pos        Range  // what makes it one: tchain: "v1"
	Routes     []*Route
	Policy     Policy
	NotChecked []NotChecked
	// Notices are facts that the resolvers found out and that rules report:
	// a written value that another one beats, and the like.
	Notices []Notice
	// Unmet are settings that are written and in force on no route: inner blocks beat
	// them on each, or no route has their path. Their layers may be on no route either.
	Unmet []Setting
}

// A Policy is what a team decides about the checks.
type Policy struct {
	ErrorRoom   time.Duration     // 0: the smaller of 1 s and 5 % of the outer limit
	PoolAgainst string            // "limit" (also ""), "p99" or "avg"
	Severity    map[string]string // rule id to "error", "warning", "info" or "off"
	Ignore      []Ignore
	// NotSuppressible are ids of rules that no Ignore covers.
	NotSuppressible []string
}

// An Ignore is a suppression, by policy entry or by attribute on a value.
type Ignore struct {
	Rule, Reason, Until string
	At                  Range    // what it stands on or where the entry is
	Settings            []string // the setting paths it covers; nil is all
	Routes, Layers      []string // what it is narrowed to; nil is all
	Shared              bool     // it is for many stacks, and need not cover anything in this one
	// Written is the attribute; the zero Range of a policy entry. A value that is
	// written once and used twice has two suppressions of one attribute.
	Written Range
}

// Place is where a reader looks for the suppression: at its own line, even if At
// is only where a stack uses a value that others use too.
func (g *Ignore) Place() Range {
	if g.Written != (Range{}) && (g.Shared || g.Written.File == g.At.File && g.Written.Line != g.At.Line) {
		return g.Written
	}
	return g.At
}

// NotChecked is something that could not be known, and why.
type NotChecked struct {
	Route, Layer, Setting, Reason string
	// AtRunTime is the value's name where it is one that is given at run time only; ""
	// where that is not why.
	AtRunTime string
}

// A Notice is a fact about written settings that a rule turns into a finding.
type Notice struct {
	Kind    NoticeKind
	Layer   string
	Origin  Origin // the setting it is about
	Winner  Origin // the setting that wins, or the value that is in force
	Message string // what happens, subject first, no final stop
	Routes  []string
	// Remedy is what puts Origin's value in force, if all of it is written; nil where
	// that is not known.
	Remedy []Change
}

// A Change is a setting with the value that is to be written for it.
type Change struct {
	Origin Origin
	Text   string // in the product's own syntax
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
	Prefix         bool     // it covers what is below; with a slash at the end and no Prefix it is that path alone
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
	Silence               Value // the longest pause of the sender
	Origin                Origin
}

// Takes is how long the body is on its way from the person; 0 if that is not known.
func (u *Upload) Takes() time.Duration {
	if u == nil || u.BytesPerSecond <= 0 {
		return 0
	}
	return Lasts(u.Bytes, u.BytesPerSecond)
}

// uploads is how long the request's body takes on a call of n: the person sends
// it, and inside it goes on at the speed of the network there.
func (r *Route) uploads(n *Node) time.Duration {
	if n != r.Root {
		return 0
	}
	return r.Upload.Takes()
}

// UploadTo is how long the person's body is still on its way once the header of the
// request is at n.
func (r *Route) UploadTo(n *Node) time.Duration {
	return r.uploadOver(func(c *Call) bool { return c.To == n })
}

// UploadFrom is how long it is once n has begun a call: a layer that has to have the
// body first waits for none.
func (r *Route) UploadFrom(n *Node) time.Duration {
	return r.uploadOver(func(c *Call) bool { return slices.Contains(n.Calls(), c) })
}

// uploadOver is how long the body is on its way over one of the calls that it crosses
// as it comes.
func (r *Route) uploadOver(is func(*Call) bool) time.Duration {
	takes := r.Upload.Takes()
	var crosses func(n *Node) bool
	crosses = func(n *Node) bool {
		return slices.ContainsFunc(n.Calls(), func(c *Call) bool {
			return is(c) || c.To.sendsOn() && crosses(c.To)
		})
	}
	if takes == 0 || !crosses(r.Root) {
		return 0
	}
	return takes
}

// sendsOn reports whether the layer calls as soon as it has the header of a request,
// and sends the body on as it comes.
func (n *Node) sendsOn() bool {
	return (n.Role == RolePassing || n.Role == RoleUnknown) && !slices.ContainsFunc(n.Calls(), func(c *Call) bool { return c.Collects })
}

// Rate is how many calls per 1000 s the route makes over a call, with all that
// one request makes.
func (r *Route) Rate(c *Call) int64 {
	return r.TPS * int64(max(c.Requests, 1))
}

// Arrivals is how many calls the route makes over a call in a time at its peak,
// whole ones.
func (r *Route) Arrivals(c *Call, in time.Duration) int {
	return int(mulDiv(r.Rate(c), int64(in), int64(1000*time.Second)))
}

// Loaded reports whether the route says how much comes in.
func (r *Route) Loaded() bool { return r.TPS > 0 || r.Concurrent.N > 0 }

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

// Text is the form in a sentence: "stream", "WebSocket".
func (m Mode) Text() string {
	if m == WebSocket {
		return "WebSocket"
	}
	return string(m)
}

// A Response is what the last layer sends and how.
type Response struct {
	Mode                          Mode
	First, Silence, Total         Value
	HeartbeatEvery                Value
	HeartbeatFrom                 string
	DownloadBytes, BytesPerSecond int64
}

// Flows reports whether the answer takes its time and goes on as it comes.
func (r Response) Flows() bool { return r.Mode != Unary && r.Mode != Poll }

// Endless reports whether the answer goes on for as long as it likes: a stream or a
// WebSocket of which no total is declared.
func (r Response) Endless() bool {
	return (r.Mode == Stream || r.Mode == WebSocket) && !r.Total.Declared()
}

// Carrying are the calls that the answer crosses as it comes, outermost first. An
// app that is not said to relay makes it itself, of ordinary answers of its own
// callees; what nobody waits for carries nothing.
func (r *Route) Carrying() []*Call {
	var out []*Call
	var walk func(n *Node)
	walk = func(n *Node) {
		for _, c := range n.Calls() {
			if c.Detached {
				continue
			}
			out = append(out, c)
			if c.To.Role != RoleBuffering {
				walk(c.To)
			}
		}
	}
	walk(r.Root)
	return out
}

// success is the status of a layer's answer when all is well: 101 where it switches
// the connection that the route's WebSocket is on, and 400 where it is not asked to:
// https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1.
func (r *Route) success(n *Node) int {
	if r.Response.Mode != WebSocket {
		return http.StatusOK
	}
	on := r.Carrying()
	switch {
	case n != r.Root && !slices.ContainsFunc(on, func(c *Call) bool { return c.To == n }):
		return http.StatusOK
	case slices.ContainsFunc(on, func(c *Call) bool { return c.NoUpgrade != nil }):
		return http.StatusBadRequest
	}
	return http.StatusSwitchingProtocols
}

// Carries reports whether the answer crosses a call as it comes.
func (r *Route) Carries(c *Call) bool { return slices.Contains(r.Carrying(), c) }

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
