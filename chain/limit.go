package chain

import (
	"slices"
	"strconv"
	"time"
)

// Fires says what happens when a limit fires.
type Fires string

// What a limit can do when it fires; a status is written as its three digits.
const (
	FiresError Fires = "error" // the caller's own code gets an error and decides
	FiresClose Fires = "close" // the connection is closed with no bytes sent
	FiresKill  Fires = "kill"  // the worker dies, which closes the connection
	FiresCut   Fires = "cut"   // a response that has begun is cut short
	FiresEvent Fires = "event" // the program is told and nothing ends
	// FiresCancel asks the callee to end its work, over another connection: one that
	// is at work answers with an error, and the wait for one that is silent goes on.
	FiresCancel Fires = "cancel"
)

// Per says what gets a timer of its own.
type Per string

// What a limit can be counted for. The zero value is PerAttempt.
const (
	PerAttempt    Per = ""
	PerRead       Per = "read"
	PerAddress    Per = "address"
	PerRequest    Per = "request"
	PerConnection Per = "connection"
)

// A Limit is one timer in force on a route. Its zero Bound fires at once; a
// timer that does not fire has the bound Never and a Why.
type Limit struct {
	Kind       Kind
	Side       Side
	Start, End Moment
	Reset      Reset
	Per        Per
	Bound      time.Duration
	Why        string // why Bound is Never: "not set", "0 means no limit"
	Zero       bool   // Bound is Never because somebody wrote a zero
	// Kernel says that the operating system ends the wait. Origin.Setting is then where
	// the product takes a limit, and Origin.Source is Fixed where none is in force; else
	// that one is longer.
	Kernel bool
	// Most is the largest bound that the product takes; 0 where none is known.
	Most  time.Duration
	Fires Fires
	// Complete says that the timer starts when the request has arrived whole: the time
	// of an upload is not its own.
	Complete bool
	// When is the connections that have it, of a limit of Call.Reused: "after GET
	// /balance"; empty for one that every connection has.
	When   string
	Origin Origin
	// If is what the stack leaves open and the limit rests on, or what it does when it
	// fires: "its version is 1.29.7 or later"; "" where there is nothing.
	If string
	// Count says that its setting is a number, of which 0 gives up at once.
	Count bool
}

// Covers reports whether the timer runs while the exchange is on its way to m.
func (l *Limit) Covers(m Moment) bool { return l.Start < m && m <= l.End }

// Whole reports whether the timer ends an exchange at its bound whatever is sent
// meanwhile, the body of the response included.
func (l *Limit) Whole() bool { return l.Reset == ResetNone && l.Covers(AtBodyEnd) }

// EndsUpload reports whether a limit of the answering side ends a request while its
// body is still coming in: it runs from the header on, whatever is read meanwhile.
func (l *Limit) EndsUpload() bool {
	switch l.Kind {
	case HandlerDeadline, WorkerKill:
		return l.Start < AtRequestSent
	case RequestBodyRead:
		return l.Reset == ResetNone
	}
	return false
}

// aroundAll reports whether the timer of a client's layer runs over all attempts of it.
func (l *Limit) aroundAll() bool { return l.Kind == TotalDeadline || l.Per == PerRequest }

// label is the name of the setting, with when it holds.
func (l *Limit) label() string {
	if l.When == "" {
		return l.Origin.Name
	}
	return l.Origin.Name + " " + l.When
}

// Ends reports whether the timer ends the wait for a callee that is silent.
func (l *Limit) Ends() bool { return l.Fires != FiresEvent && l.Fires != FiresCancel }

// What a timer does that ends nothing, by its Fires.
const (
	EventOnly  = "event only: bounds nothing"
	CancelOnly = "asks the callee to cancel: ends no silence"
)

// TellsOnly says what a timer does that is on and ends nothing; "" for any other.
func (l *Limit) TellsOnly() string {
	switch {
	case l.Bound == Never:
	case l.Fires == FiresEvent:
		return EventOnly
	case l.Fires == FiresCancel:
		return CancelOnly
	}
	return ""
}

// WhyInjected is the Why of a limit whose value is given at run time only.
const WhyInjected = "injected at run time and not given"

// Unknown reports whether the limit's value is given at run time only, or
// follows from one that is: nothing can be said that rests on it.
func (l *Limit) Unknown() bool { return l.Bound == Never && l.Why == WhyInjected }

// A Value is a duration with its origin; the zero Value is not declared.
type Value struct {
	D      time.Duration
	Origin Origin
}

// Declared reports whether the value was given at all.
func (v Value) Declared() bool { return v.Origin.Source != "" }

// A Size is a number with its origin; the zero Size is not declared.
type Size struct {
	N      int
	Origin Origin
	Each   int // N is so many times what is written, as threads in each process; 0 is once
}

// For is the least number to write for so many.
func (s Size) For(n int) int {
	each := max(s.Each, 1)
	return (n + each - 1) / each
}

// Declared reports whether the number was given at all.
func (s Size) Declared() bool { return s.Origin.Source != "" }

// A Cond is a way an attempt can fail, as retry policies tell them apart.
type Cond string

// The ways an attempt can fail. A status that the callee answered is the
// condition of its three digits.
const (
	CondPoolTimeout    Cond = "pool-timeout"
	CondDNSTimeout     Cond = "dns-timeout"
	CondConnectTimeout Cond = "connect-timeout"
	CondRefused        Cond = "refused"
	CondTLSTimeout     Cond = "tls-timeout"
	CondWriteTimeout   Cond = "write-timeout"
	CondTimeout        Cond = "timeout" // no complete header in time
	CondReset          Cond = "reset"   // the connection broke before the header
	CondStale          Cond = "stale"   // a reused connection was already closed
	CondCut            Cond = "cut"     // the response stopped after its header
	CondDeadline       Cond = "deadline"
	CondKilled         Cond = "killed" // the callee closed without an answer
	// CondUnanswered is a connect-timeout by the kernel's limit: an error, and no
	// timeout, to a product that knows the two apart.
	CondUnanswered Cond = "unanswered"
)

// A Retry is one layer's policy of sending a request again.
type Retry struct {
	// Attempts counts the first one; 0 is as many as the callee has addresses.
	Attempts Size
	// CapAddresses keeps Attempts at or below the number of addresses.
	CapAddresses bool
	On           []Cond
	// OnMethods are the methods that may be sent again once the request was
	// written, in part or whole; nil is every method. A failure before that may
	// be repeated too, if AsksFirst does not say otherwise, and so may always one of
	// AnyMethod, which are some of On.
	OnMethods []string
	AnyMethod []Cond
	// AsksFirst says that the method is asked for before all else: of any other than
	// OnMethods not even a failure before the request was written is repeated.
	AsksFirst bool
	// AtOnce are those of On that are repeated without a wait.
	AtOnce []Cond
	// Interval is the wait before the second attempt; each further one is
	// Multiplier/1000 times longer, up to MaxInterval if that is not zero.
	Interval    Value
	Multiplier  int
	MaxInterval time.Duration
	Jitter      bool
	// FirstAtOnce has the second attempt begin at once: the wait is first taken
	// before the third one, grown as if it had been taken before.
	FirstAtOnce bool
	// WaitOn are the failures after which it waits at all; nil is every one.
	WaitOn []Cond
	// Window is the budget that is checked only before an attempt begins: it
	// never interrupts one. The zero Value and Never are no budget.
	Window Value
	// WindowWaits says that the wait before an attempt counts, too: one that would begin
	// when the Window is over is not waited for.
	WindowWaits bool
	// Least is what must be left of the time around the attempts for a further
	// one to begin. Not declared is any time at all.
	Least Value
	// ConnectShare is the part, in percent, of the time that is left around an
	// attempt in which it must be connected; 0 is no such share.
	ConnectShare Size
	// ReadsBody says that an attempt has read the response to its end before it is
	// judged, so that one which stops after its header is repeated, too. It is never
	// so in a passing layer, whose caller has the header by then.
	ReadsBody bool
	// CutApart says that a limit which fires after the header is CondCut alone: where
	// the two are different exceptions, CondTimeout is only that of a header in time.
	CutApart bool
	// Exhausted is what the program gets once the last attempt has failed, too, in the
	// place of that failure: the name of an exception or a code. "" is the failure itself,
	// as it also is where ExhaustedAnswer says that only an answer is replaced.
	Exhausted       string
	ExhaustedAnswer bool
	// Hidden is a retry that nobody wrote.
	Hidden bool
	// Origin is the setting that names the conditions.
	Origin Origin
}

// Allows reports whether the policy sends the request again after cond.
// sent says whether writing the request had begun.
func (r *Retry) Allows(cond Cond, method string, sent bool) bool {
	switch {
	case !slices.Contains(r.On, cond):
		return false
	case !sent && !r.AsksFirst || r.OnMethods == nil || slices.Contains(r.AnyMethod, cond):
		return true
	}
	return slices.Contains(r.OnMethods, method)
}

// AllowsCut reports whether the policy repeats what stopped after its header, which
// it knows by one of the conditions: a limit, or a callee that broke off.
func (r *Retry) AllowsCut(n *Node, method string, by ...Cond) bool {
	if !r.ReadsBody || n.Role == RolePassing || n.Role == RoleUnknown {
		return false
	}
	return slices.ContainsFunc(by, func(c Cond) bool { return r.Allows(c, method, true) })
}

// Gives is what the program gets once the last attempt has failed by cond, in the place
// of that failure; "" is the failure itself.
func (r *Retry) Gives(cond Cond) string {
	if _, err := strconv.Atoi(string(cond)); r == nil || r.ExhaustedAnswer && err != nil {
		return ""
	}
	return r.Exhausted
}

// Waits reports whether the policy lets time pass before it repeats after cond.
func (r *Retry) Waits(cond Cond) bool {
	return !slices.Contains(r.AtOnce, cond) && (r.WaitOn == nil || slices.Contains(r.WaitOn, cond))
}

// after is the wait before attempt n, counted from 2, where the last one failed by cond.
func (r *Retry) after(cond Cond, n int) time.Duration {
	if !r.Waits(cond) {
		return 0
	}
	return r.Backoff(n)
}

// windowLimit and leastLimit are what keeps a further attempt from being made.
func (r *Retry) windowLimit() *Limit {
	return &Limit{Kind: RetryWindow, Bound: r.Window.D, Origin: r.Window.Origin}
}

func (r *Retry) leastLimit() *Limit {
	return &Limit{Kind: RetryLeast, Bound: r.Least.D, Origin: r.Least.Origin}
}

// waitsOnTimeouts says whether it waits after failures that take their time.
func (r *Retry) waitsOnTimeouts() bool {
	return r.WaitOn == nil || slices.ContainsFunc(r.WaitOn, func(c Cond) bool { return c != CondRefused })
}

// An Ejection takes an address out of use after failures.
type Ejection struct {
	Fails  int           // failures within For; 0 is off
	For    time.Duration // how long the address is left out
	On     []Cond
	Answer int // the status when no address is left
	Origin Origin
}

// A Pool is what a caller may have open to one callee, in each instance.
type Pool struct {
	PerHost Size // 0 with a declared origin is no bound
	Total   Size
	Idle    Size     // connections kept when idle
	Opened  Size     // connections opened without a request, and kept
	Shared  []string // the other callees that draw on Total
}

// InForce is the number of connections that a callee can really get, and the
// setting that decides; 0 is no bound.
func (p *Pool) InForce() Size {
	switch {
	case p.PerHost.N == 0:
		return p.Total
	case p.Total.N != 0 && p.Total.N < p.PerHost.N:
		return p.Total
	}
	return p.PerHost
}
