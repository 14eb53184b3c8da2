// Package fault is the server at the far end of every conformance run: a server
// on loopback that goes wrong in one chosen way and counts what it saw. It needs
// nothing but the standard library, so that a driver of any product can use it,
// in process or as the program in fault/cmd.
package fault

import (
	"fmt"
	"time"
)

// A Mode is one way in which the server behaves.
type Mode string

// The modes, in the order of a request's way.
const (
	Refuse      Mode = "refuse"       // a port that stays closed
	Backlog     Mode = "backlog"      // a full accept queue: SYNs go unanswered
	TLSStall    Mode = "tls-stall"    // accepts and reads nothing, so no handshake ends; a plain client's long write blocks
	Silent      Mode = "silent"       // reads the request and never answers
	Reset       Mode = "reset"        // reads the request and answers with RST
	HangUp      Mode = "hang-up"      // reads the request and closes in order, without an answer
	HeaderDrip  Mode = "header-drip"  // one byte of header per interval, forever
	Stall       Mode = "stall"        // the header and BodyBytes of the body, then nothing
	Trickle     Mode = "trickle"      // the header, then one byte of body per interval, forever
	Unavailable Mode = "unavailable"  // 503 at once
	IdleRace    Mode = "idle-race"    // answers, then closes the idle connection under the next request
	Slow        Mode = "slow"         // answers after a delay
	OK          Mode = "ok"           // answers at once
	Proxy       Mode = "proxy"        // a CONNECT proxy that forwards
	ProxySilent Mode = "proxy-silent" // a CONNECT proxy that never answers CONNECT
	ProxyStall  Mode = "proxy-stall"  // a CONNECT proxy whose tunnel carries nothing
)

// Modes lists every mode once, in a fixed order.
var Modes = []Mode{Refuse, Backlog, TLSStall, Silent, Reset, HangUp, HeaderDrip, Stall, Trickle, Unavailable, IdleRace, Slow, OK, Proxy, ProxySilent, ProxyStall}

// Header is the response header that every answer of this server carries, with
// the mode as its value: a client that sees it knows who wrote the answer.
const Header = "Fault-Server"

// A Config is what one server does. Its zero value, with a mode, works.
type Config struct {
	Mode Mode `json:"mode"`
	// TLS serves HTTPS with a self-signed certificate made in memory.
	TLS bool `json:"tls,omitempty"`
	// DelayMS is, in milliseconds: for Slow, the time before the answer; for
	// IdleRace, how long an idle connection is kept, where 0 closes it at the
	// moment the next request's first byte arrives.
	DelayMS int `json:"delayMs,omitempty"`
	// IntervalMS is the time between two bytes of HeaderDrip and Trickle, in
	// milliseconds; 0 is 100.
	IntervalMS int `json:"intervalMs,omitempty"`
	// BodyBytes is how much of the body Stall sends before it stops; 0 is 5.
	BodyBytes int `json:"bodyBytes,omitempty"`
	// Chunked has Stall and Trickle send a body of no announced length.
	Chunked bool `json:"chunked,omitempty"`
	// Status is what Unavailable answers; 0 is 503.
	Status int `json:"status,omitempty"`
	// RetryAfter is the value of Retry-After in that answer; "" sends none.
	RetryAfter string `json:"retryAfter,omitempty"`
	// Times is how many requests go wrong before all later ones are answered at
	// once; 0 is all of them. It is about modes that read requests.
	Times int `json:"times,omitempty"`
	// Target is where the tunnels of Proxy lead, as host:port; "" is what the
	// client asks for, which must be on loopback.
	Target string `json:"target,omitempty"`
}

func (c Config) check() error {
	known := false
	for _, m := range Modes {
		known = known || m == c.Mode
	}
	switch {
	case !known:
		return fmt.Errorf("unknown mode %q; the modes are %v", c.Mode, Modes)
	case c.DelayMS < 0 || c.IntervalMS < 0 || c.BodyBytes < 0 || c.Times < 0:
		return fmt.Errorf("mode %s: delayMs, intervalMs, bodyBytes and times cannot be negative", c.Mode)
	case c.Status != 0 && (c.Status < 200 || c.Status > 599):
		return fmt.Errorf("status %d is not between 200 and 599", c.Status)
	}
	return nil
}

func (c Config) delay() time.Duration { return time.Duration(c.DelayMS) * time.Millisecond }

func (c Config) interval() time.Duration {
	if c.IntervalMS == 0 {
		return 100 * time.Millisecond
	}
	return time.Duration(c.IntervalMS) * time.Millisecond
}
