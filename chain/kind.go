package chain

// A Kind says what a setting bounds. It is a preset of where the timer starts
// and ends and what restarts it; a catalogue entry may override each.
type Kind string

// Kinds of the calling side.
const (
	PoolWait          Kind = "pool-wait"
	DNS               Kind = "dns"
	Connect           Kind = "connect"
	Tunnel            Kind = "tunnel" // the answer of a forward proxy to CONNECT
	TLSHandshake      Kind = "tls-handshake"
	WriteGap          Kind = "write-gap"
	ResponseHeader    Kind = "response-header"
	ResponseFirstByte Kind = "response-first-byte"
	ResponseReadGap   Kind = "response-read-gap"
	AttemptDeadline   Kind = "attempt-deadline"
	TotalDeadline     Kind = "total-deadline"
)

// Kinds of the answering side. WriteGap is used on both sides.
const (
	RequestHeaderRead Kind = "request-header-read"
	RequestBodyRead   Kind = "request-body-read"
	HandlerDeadline   Kind = "handler-deadline"
	WorkerKill        Kind = "worker-kill"
	WriteTotal        Kind = "write-total"
	IdleKeepalive     Kind = "idle-keepalive"
	MaxLifetime       Kind = "max-lifetime"
	LifetimeGrace     Kind = "lifetime-grace" // what runs at the end of the lifetime may take so long
	Drain             Kind = "drain"
)

// Kinds that are not timers of one exchange.
const (
	PoolSizePerHost Kind = "pool-size-per-host"
	PoolSizeTotal   Kind = "pool-size-total"
	PoolIdleSize    Kind = "pool-idle-size"
	PoolMinimum     Kind = "pool-minimum" // connections that are opened without a request
	PingStrikes     Kind = "ping-strikes" // pings in a row that come too soon and are forgiven
	StaleCheck      Kind = "stale-check"
	ReuseTest       Kind = "reuse-test" // what was idle for so long is tested before it is reused, by a request that the callee answers
	Evict           Kind = "evict"
	Concurrency     Kind = "concurrency"
	RetryCount      Kind = "retry-count"
	RetryConditions Kind = "retry-conditions"
	RetryInterval   Kind = "retry-interval"
	RetryWindow     Kind = "retry-window"
	RetryLeast      Kind = "retry-least"
	ConnectShare    Kind = "connect-share"
	Eject           Kind = "eject"
	Breaker         Kind = "breaker"
	ChannelIdle     Kind = "channel-idle" // a connection that all calls share, closed so that none is lost
	PingInterval    Kind = "ping-interval"
	TCPKeepalive    Kind = "tcp-keepalive" // how long a connection is quiet before the kernel asks for a sign of life
	PingMinimum     Kind = "ping-minimum"
	FlowIdle        Kind = "flow-idle"
	Probe           Kind = "probe"
	ProbeTimeout    Kind = "probe-timeout"
	ProbeFailures   Kind = "probe-failures"
	StopGrace       Kind = "stop-grace"
	PreStop         Kind = "pre-stop"
	InitCap         Kind = "init-cap"
)

// A Moment is a step of one attempt, in the order in which they come.
type Moment int

// The moments of an attempt. Each phase is the way from one to the next.
const (
	AtCall        Moment = iota // the caller wants the answer
	AtLease                     // it has a connection, or may open one
	AtResolved                  // the name has addresses
	AtConnect                   // TCP is connected
	AtTunnelled                 // the forward proxy has answered CONNECT; at once without one
	AtSecured                   // TLS is done
	AtRequestSent               // the request, body included, is written
	AtFirstByte                 // the first byte of the response arrived
	AtHeaderEnd                 // the response header is complete
	AtBodyEnd                   // the last byte of the response arrived
)

var momentNames = [...]string{"call", "lease", "resolved", "connect", "tunnelled", "secured", "request-sent", "first-byte", "header-end", "body-end"}

// String is the word that the catalogue uses for the moment.
func (m Moment) String() string { return momentNames[m] }

// MomentNamed is the moment that the catalogue calls name; ok is false if there is none.
func MomentNamed(name string) (m Moment, ok bool) {
	for i, n := range momentNames {
		if n == name {
			return Moment(i), true
		}
	}
	return 0, false
}

// A Reset says what restarts a timer.
type Reset string

// ResetNone is a deadline; the others restart at each byte read or written.
const (
	ResetNone  Reset = ""
	ResetRead  Reset = "read"
	ResetWrite Reset = "write"
)

// Side is the side of a call that a timer belongs to.
type Side string

// The two sides of a call.
const (
	Calling   Side = "call"
	Answering Side = "serve"
)

// A Preset is what a kind means unless a catalogue entry says otherwise.
type Preset struct {
	Kind       Kind
	Side       Side
	Start, End Moment
	Reset      Reset
}

// Presets lists every kind once, in the order of a request's way.
var Presets = []Preset{
	{PoolWait, Calling, AtCall, AtLease, ResetNone},
	{DNS, Calling, AtLease, AtResolved, ResetNone},
	{Connect, Calling, AtResolved, AtConnect, ResetNone},
	{Tunnel, Calling, AtConnect, AtTunnelled, ResetNone},
	{TLSHandshake, Calling, AtConnect, AtSecured, ResetNone},
	{WriteGap, Calling, AtSecured, AtRequestSent, ResetWrite},
	{ResponseHeader, Calling, AtRequestSent, AtHeaderEnd, ResetNone},
	{ResponseFirstByte, Calling, AtRequestSent, AtFirstByte, ResetNone},
	{ResponseReadGap, Calling, AtFirstByte, AtBodyEnd, ResetRead},
	{AttemptDeadline, Calling, AtCall, AtBodyEnd, ResetNone},
	{TotalDeadline, Calling, AtCall, AtBodyEnd, ResetNone},
	{RequestHeaderRead, Answering, AtConnect, AtRequestSent, ResetNone},
	{RequestBodyRead, Answering, AtSecured, AtRequestSent, ResetRead},
	{HandlerDeadline, Answering, AtRequestSent, AtHeaderEnd, ResetNone},
	{WorkerKill, Answering, AtSecured, AtBodyEnd, ResetNone},
	{WriteTotal, Answering, AtRequestSent, AtBodyEnd, ResetNone},
	{IdleKeepalive, Answering, AtBodyEnd, AtBodyEnd, ResetNone},
	{MaxLifetime, Answering, AtConnect, AtBodyEnd, ResetNone},
	{LifetimeGrace, Answering, AtRequestSent, AtBodyEnd, ResetNone},
	{Drain, Answering, AtBodyEnd, AtBodyEnd, ResetNone},
	{PoolSizePerHost, Calling, AtCall, AtBodyEnd, ResetNone},
	{PoolSizeTotal, Calling, AtCall, AtBodyEnd, ResetNone},
	{PoolIdleSize, Calling, AtBodyEnd, AtBodyEnd, ResetNone},
	{PoolMinimum, Calling, AtBodyEnd, AtBodyEnd, ResetNone},
	{StaleCheck, Calling, AtLease, AtLease, ResetNone},
	{ReuseTest, Calling, AtLease, AtLease, ResetNone},
	{Evict, Calling, AtBodyEnd, AtBodyEnd, ResetNone},
	{Concurrency, Answering, AtRequestSent, AtBodyEnd, ResetNone},
	{RetryCount, Calling, AtCall, AtBodyEnd, ResetNone},
	{RetryConditions, Calling, AtCall, AtBodyEnd, ResetNone},
	{RetryInterval, Calling, AtCall, AtBodyEnd, ResetNone},
	{RetryWindow, Calling, AtCall, AtBodyEnd, ResetNone},
	{RetryLeast, Calling, AtCall, AtBodyEnd, ResetNone},
	{ConnectShare, Calling, AtCall, AtConnect, ResetNone},
	{Eject, Calling, AtBodyEnd, AtBodyEnd, ResetNone},
	{Breaker, Calling, AtCall, AtBodyEnd, ResetNone},
	{ChannelIdle, Calling, AtBodyEnd, AtBodyEnd, ResetNone},
	{PingInterval, Calling, AtConnect, AtBodyEnd, ResetNone},
	{TCPKeepalive, Calling, AtConnect, AtBodyEnd, ResetNone},
	{PingMinimum, Answering, AtConnect, AtBodyEnd, ResetNone},
	{PingStrikes, Answering, AtConnect, AtBodyEnd, ResetNone},
	{FlowIdle, Answering, AtConnect, AtBodyEnd, ResetNone},
	{Probe, Calling, AtCall, AtBodyEnd, ResetNone},
	{ProbeTimeout, Calling, AtCall, AtBodyEnd, ResetNone},
	{ProbeFailures, Calling, AtCall, AtBodyEnd, ResetNone},
	{StopGrace, Answering, AtCall, AtBodyEnd, ResetNone},
	{PreStop, Answering, AtCall, AtBodyEnd, ResetNone},
	{InitCap, Answering, AtCall, AtBodyEnd, ResetNone},
}

// PresetOf is the preset of a kind; ok is false if there is no such kind.
func PresetOf(k Kind) (p Preset, ok bool) {
	for _, p := range Presets {
		if p.Kind == k {
			return p, true
		}
	}
	return Preset{}, false
}
