// Package limits takes the clients of a stack's apps by what their limits bound,
// whatever product the stack describes, for targets that write clients.
package limits

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A Dialect is what the clients that a target writes can do, and how messages call
// them.
type Dialect struct {
	Target  string // of refusals: "go"
	Name    string // "Go"
	PerCall string // what a call that is over its limit ends with
	Proxy   string // how a client gets its proxy: "takes it from HTTPS_PROXY"

	Unit time.Duration // the smallest step of its timers
	Most time.Duration // the longest that they take; 0 is any

	DialGoesOn       bool // connecting goes on behind a call that has left, and needs limits of its own
	ConnectCoversTLS bool // Connect without TLS bounds both together
	SharesConnect    bool // several addresses share Connect, each with at least 2 s of it
	BothBounds       bool // a pool has a bound for each callee and one for all
	Keeps            int  // idle connections where nothing bounds the pool; 0 is all
	// Kinds are what the client has a limit for, or needs none for; see Common.
	Kinds []chain.Kind
	// KeepsIdle says that the client has a bound of its own for the connections that it
	// keeps for one callee.
	KeepsIdle bool
	// Own are settings that the client has a field of its own for, without a kind.
	Own []Own
	// Repeats is the setting, by its id, of how often the product itself repeats.
	Repeats string
	// Always are settings, by their id, that have this value in every client written:
	// "true", "0 or 1".
	Always map[string]string
}

// An Own is a setting, by its id, with the field that holds it.
type Own struct {
	ID, Field string
	Unset     string // what the client does where the field is not written: "15s"
	// Off is the field's word for a value that is none: OffAt, or below it. Without a word
	// a 0 is written as it is.
	Off   string
	OffAt time.Duration
	// With is the setting, by its id, that this one belongs to: what nobody wrote is only
	// written where somebody wrote that. "" is none.
	With string
}

// Common are the kinds that every client has a limit for, or needs none for.
var Common = []chain.Kind{chain.PoolWait, chain.Connect, chain.TLSHandshake, chain.ResponseHeader, chain.ResponseFirstByte,
	chain.ResponseReadGap, chain.IdleKeepalive, chain.StaleCheck, chain.Evict, chain.RetryInterval, chain.RetryWindow,
	chain.RetryCount, chain.RetryConditions, chain.PoolSizePerHost, chain.PoolSizeTotal}

// Calls are the kinds of a whole call.
var Calls = []chain.Kind{chain.AttemptDeadline, chain.TotalDeadline}

func (d Dialect) has(k chain.Kind) bool { return slices.Contains(d.Kinds, k) }

// Check refuses what the timers of the target cannot hold.
func (d Dialect) Check(l chain.Limit, c *emit.Collector) {
	written, err := time.ParseDuration(l.Origin.Text)
	switch {
	case err == nil && l.Bound%max(d.Unit, 1) == 0 && written%max(d.Unit, 1) != 0 && written.Truncate(d.Unit) == l.Bound:
		c.Refuse(emit.Refuse(d.Target, l.Origin, "timers in %s count in steps of %s, and it would be %s there", d.Name, chain.Format(d.Unit), chain.Format(l.Bound)))
	case l.Bound%max(d.Unit, 1) != 0:
		c.Refuse(emit.Refuse(d.Target, l.Origin, "timers in %s count in steps of %s", d.Name, chain.Format(d.Unit)))
	case d.Most > 0 && l.Bound > d.Most:
		c.Refuse(emit.Refuse(d.Target, l.Origin, "a timer in %s takes no more than %s", d.Name, chain.Format(d.Most)))
	}
}

// A Use is one call of one route.
type Use struct {
	Route *chain.Route
	Node  *chain.Node
	Call  *chain.Call

	d Dialect
}

// With is the use in another dialect.
func (u Use) With(d Dialect) Use {
	u.d = d
	return u
}

// A Client is one pool with all calls that go through it.
type Client struct {
	Name    string // as the stack has it
	Part    string // the callee, where each callee of the stack's client has a pool of its own
	Callees []string
	Uses    []Use
	Pool    chain.Size // the calls that may be open at once; none if nothing bounds them

	d Dialect
}

// An App is a layer with clients.
type App struct {
	Layer   string
	Clients []*Client
}

// A Field is one value of a client, by the name that its limits have in every target.
type Field struct {
	Name  string // "PerCall"
	Count bool   // it is N, else D, where it is none of the following
	N     int
	// List are names of failures, statuses and methods; Literal is a number or "true".
	List    []string
	Literal string
	D       time.Duration
	Origin  chain.Origin
	Note    string // what is different here, or what the value is laid beside; begins with its punctuation
}

func (f Field) same(g Field) bool {
	return f.N == g.N && f.D == g.D && f.Literal == g.Literal && slices.Equal(f.List, g.List)
}
