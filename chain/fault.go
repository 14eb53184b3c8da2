package chain

import "time"

// A FaultKind is one way in which a place can go wrong.
type FaultKind string

// The faults, in the order of a request's way. The faulted layer keeps no
// promise: its own limits do not help, its callers' do.
const (
	Saturated   FaultKind = "saturated"    // no pooled connection comes free
	Blackhole   FaultKind = "blackhole"    // SYN unanswered
	DeadAddress FaultKind = "dead-address" // SYN unanswered at the first of several addresses only
	Refused     FaultKind = "refused"      // connection refused
	TunnelStall FaultKind = "tunnel-stall" // a forward proxy connects, never answers CONNECT
	TLSStall    FaultKind = "tls-stall"    // connects, never finishes the handshake
	Silent      FaultKind = "silent"       // accepts, never answers
	HeaderDrip  FaultKind = "header-drip"  // header byte by byte, forever
	Stall       FaultKind = "stall"        // header, then nothing
	Trickle     FaultKind = "trickle"      // a byte just inside the smallest gap, forever
	ResetFault  FaultKind = "reset"        // the connection breaks after the request
	Unavailable FaultKind = "unavailable"  // 503 at once
	IdleRace    FaultKind = "idle-race"    // a reused connection that was just closed
	Slow        FaultKind = "slow"         // answers after its declared tail
)

// FaultKinds lists every kind once, in a fixed order.
var FaultKinds = []FaultKind{Saturated, Blackhole, DeadAddress, Refused, TunnelStall, TLSStall, Silent, HeaderDrip, Stall, Trickle, ResetFault, Unavailable, IdleRace, Slow}

// Takes is what a call must have for the fault to be possible; "" for one that any
// call can meet.
func (k FaultKind) Takes() string {
	switch k {
	case Saturated:
		return "a pool with a bound"
	case DeadAddress:
		return "several addresses, and a caller of which it is known when it dials the next one"
	case TunnelStall:
		return "a forward proxy on the way, and a client of which it is known how long it waits for CONNECT"
	case TLSStall:
		return "TLS on the call"
	case IdleRace:
		return "connections that the caller keeps and uses again"
	case Slow:
		return "a declared tail, as latency p99 or work max"
	}
	return ""
}

// A Fault is one kind at one call: its callee is what goes wrong, for Saturated
// the caller's pool, or what Fault.AtProxy says.
type Fault struct {
	Kind FaultKind
	Call *Call
	From *Node // the caller
}

// AtProxy reports whether what goes wrong is the forward proxy on the way to the
// callee: it is what the caller connects to and asks for a tunnel.
func (f Fault) AtProxy() bool {
	switch f.Kind {
	case Blackhole, Refused, TunnelStall:
		return f.Call != nil && f.Call.Via != ""
	}
	return false
}

// A Reply is what a caller can observe of one exchange, measured from the
// request being written. Each time may be Never.
type Reply struct {
	First  time.Duration // the first byte
	Header time.Duration // the end of the header
	Gap    time.Duration // the longest silence after the first byte
	End    time.Duration // the last byte
	Status int           // 0: no status
	Cond   Cond          // why there is no status, where the connection just ended
	By     *Node         // who wrote it
	Cut    bool          // it ends before its own end
}

// EventKind says what happened; the text form is made by Event.String.
type EventKind string

// What can happen in a trace.
const (
	EvRedials     EventKind = "redials"     // dials the next address, since one does not answer
	EvSent        EventKind = "sent"        // connected, request sent
	EvTimeout     EventKind = "timeout"     // gives up on its callee by a limit
	EvFailed      EventKind = "failed"      // its callee failed at once
	EvRetries     EventKind = "retries"     // sends the request again
	EvInstead     EventKind = "instead"     // makes another call in place of one that failed
	EvNotStarted  EventKind = "not-started" // no time is left for a call, or for another attempt
	EvExhausted   EventKind = "exhausted"   // its last attempt failed, too
	EvAnswers     EventKind = "answers"     // writes its own answer
	EvPasses      EventKind = "passes"      // passes an answer on
	EvCuts        EventKind = "cuts"        // cuts a response that has begun
	EvCloses      EventKind = "closes"      // closes without an answer
	EvSees        EventKind = "sees"        // the outermost caller has an outcome
	EvLeaves      EventKind = "leaves"      // stops because its caller left
	EvUndelivered EventKind = "undelivered" // its answer is never delivered
	EvEjects      EventKind = "ejects"      // its callee's addresses are left out
)

// An Event is one thing that one layer did.
type Event struct {
	At     time.Duration
	Kind   EventKind
	Node   *Node
	Peer   *Node // the callee, or for EvSees and EvPasses who wrote the answer
	Limit  *Limit
	Status int
	Cond   Cond
	Count  int // attempt number, or addresses
	// Retry is the policy of an EvRetries, whose Cond is what it repeats after, or of an
	// EvExhausted, whose Cond is how the last attempt failed.
	Retry *Retry
	// Unknown says that the request had been sent and may have changed something:
	// whether it was done is not known to who gave up on it. Of EvSees it says that
	// it is not known what ends the wait.
	Unknown bool
	For     time.Duration
}

// NotKnown is the error of an outcome that rests on a value which only run time
// knows, or on what the vendor of a hosted product does not document.
const NotKnown = "not known"

// An Outcome is what the outermost layer has in the end.
type Outcome struct {
	Status int    // 0: no status
	Error  string // what it has instead: "gives up", "connection closed", "never ends"
	From   *Node  // who decided it
	At     time.Duration
	Cut    bool
	// Unless is a timer on the way whose value only run time knows: it may have ended
	// the wait before. "" is none.
	Unless string
}

// A Trace is the play of one fault.
type Trace struct {
	Fault   Fault
	Events  []Event
	Outcome Outcome
}

// A Term is one summand of a worst case.
type Term struct {
	N      int // how often it counts; 0 is once
	D      time.Duration
	Label  string // "perCall", "proxy_read_timeout"
	Origin Origin
	// Reserve says that it is what an app keeps back of its deadline.
	Reserve bool
}

// A Sum is a duration with the terms that make it.
type Sum struct {
	Total      time.Duration
	Terms      []Term
	NotChecked []string // phases that nothing bounds and no setting could
	// Unknown is the first setting that it would take to tell the total and whose
	// value is given at run time only; "" is none, and then the total holds.
	Unknown string
}

// unanswering reports whether the fault is a callee that accepts a request and does
// not do what it says with it.
func (k FaultKind) unanswering() bool {
	switch k {
	case Silent, HeaderDrip, Stall, Trickle, Unavailable:
		return true
	}
	return false
}

// Does says in words what the callee of a faulted call does.
func (k FaultKind) Does() string {
	switch k {
	case Saturated:
		return "gives no connection back"
	case Blackhole:
		return "does not answer a connect"
	case DeadAddress:
		return "does not answer a connect at its first address"
	case Refused:
		return "refuses the connection"
	case TunnelStall:
		return "does not answer CONNECT"
	case TLSStall:
		return "never finishes the TLS handshake"
	case Silent:
		return "accepts and stays silent"
	case HeaderDrip:
		return "sends its header byte by byte"
	case Stall:
		return "stops after its header"
	case Trickle:
		return "sends a byte now and then, for ever"
	case ResetFault:
		return "breaks the connection"
	case Unavailable:
		return "answers 503 at once"
	case IdleRace:
		return "has just closed the reused connection"
	case Slow:
		return "is as slow as its declared tail"
	}
	return string(k)
}
