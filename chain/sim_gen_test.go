package chain

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	_ "tchain.dev/tchain/internal/repeatable"
)

// A maker makes random routes. Each limit has an origin of its own, and bounds
// are odd, so that few timers fire at one instant.
type maker struct {
	t      *rapid.T
	n      int  // to number origins and layers
	nodes  int  // how many may still be made
	leaves int  // how likely a layer is the last one, in percent
	rich   bool // most limits are set
	simple bool // no zero bounds and no timers that end nothing
}

func (m *maker) chance(percent int) bool {
	return rapid.IntRange(0, 99).Draw(m.t, "chance") >= 100-percent
}

func (m *maker) upTo(n int) int { return rapid.IntRange(0, n).Draw(m.t, "n") }

func pick[V any](m *maker, from ...V) V { return rapid.SampledFrom(from).Draw(m.t, "pick") }

func (m *maker) duration() time.Duration {
	return time.Duration(2*m.upTo(499)+1) * time.Millisecond
}

func (m *maker) bound() time.Duration {
	switch n := m.upTo(39); {
	case n < 6 && (!m.rich || n == 0):
		return Never
	case n == 6 && !m.simple:
		return 0
	}
	return m.duration()
}

func (m *maker) origin(name string) Origin {
	m.n++
	name = fmt.Sprintf("%s#%d", name, m.n)
	return Origin{Source: Written, Name: name, Setting: name}
}

func (m *maker) value(name string, percent int) (v Value) {
	if m.chance(percent) {
		v = Value{D: m.duration(), Origin: m.origin(name)}
	}
	return v
}

func (m *maker) size(name string, most int) Size {
	return Size{N: m.upTo(most), Origin: m.origin(name)}
}

func (m *maker) limit(k Kind) Limit {
	l := limit(k, m.bound(), pick(m, FiresError, FiresError, "504", "503", FiresClose, FiresCut))
	l.Origin = m.origin(string(k))
	if m.chance(4) && !m.simple {
		l.Fires = FiresEvent
	}
	switch k {
	case Connect:
		l.Per = pick(m, PerAttempt, PerAddress)
		l.End = pick(m, AtConnect, AtConnect, AtSecured)
		l.Kernel = l.End == AtConnect && m.chance(30)
	case TLSHandshake:
		l.Per = pick(m, PerAttempt, PerAttempt, PerAddress)
	case ResponseHeader, ResponseFirstByte:
		l.Start = pick(m, AtRequestSent, AtRequestSent, AtSecured)
		if m.chance(5) {
			l.Per = PerRequest
		}
	case TotalDeadline:
		l.Complete = m.chance(15)
	case ResponseReadGap:
		l.Start = pick(m, AtFirstByte, AtRequestSent)
	}
	if l.Per == PerAddress && l.Bound == 0 {
		l.Bound = time.Millisecond // or all addresses are dialled at one instant
	}
	return l
}

var transportKinds = []Kind{PoolWait, DNS, Connect, TLSHandshake, WriteGap, ResponseHeader, ResponseFirstByte, ResponseReadGap, AttemptDeadline, TotalDeadline}

// limits are some of the kinds, each at a chance; few come twice.
func (m *maker) limits(percent int, kinds ...Kind) (out []Limit) {
	for _, k := range kinds {
		if m.rich && k != AttemptDeadline && k != TotalDeadline {
			percent = 93 // every phase has its limit, and few have one around them
		} else if m.rich {
			percent = 12
		}
		for p := percent; m.chance(p); p = 10 {
			out = append(out, m.limit(k))
		}
	}
	return out
}

var allConds = []Cond{CondPoolTimeout, CondDNSTimeout, CondConnectTimeout, CondRefused, CondTLSTimeout, CondWriteTimeout, CondTimeout,
	CondReset, CondStale, CondCut, CondDeadline, CondKilled, CondUnanswered, "503", "504", "500"}

func (m *maker) conds() []Cond { return m.some(60, allConds) }

func (m *maker) some(percent int, of []Cond) (out []Cond) {
	for _, c := range of {
		if m.chance(percent) {
			out = append(out, c)
		}
	}
	return out
}

// retry is a policy of at most budget attempts.
func (m *maker) retry(c *Call, budget *int) *Retry {
	if *budget < 2 || !m.chance(45) {
		return nil
	}
	r := &Retry{Attempts: m.size("attempts", 4), CapAddresses: m.chance(30), On: m.conds(), Origin: m.origin("retry"),
		OnMethods: pick(m, nil, []string{"GET"}, []string{"GET", "POST"})}
	if MaxAttempts(r, c) > *budget {
		return nil
	}
	*budget /= MaxAttempts(r, c)
	if m.chance(30) {
		r.AnyMethod, r.AtOnce = m.some(30, r.On), m.some(50, r.On)
	}
	r.ReadsBody, r.CutApart, r.AsksFirst = m.chance(40), m.chance(30), m.chance(20)
	r.Interval = m.value("interval", 50)
	r.Multiplier = pick(m, 0, 1000, 1500, 2000)
	if m.chance(30) {
		r.MaxInterval = m.duration()
	}
	r.FirstAtOnce = m.chance(15)
	if m.chance(10) {
		r.WaitOn = []Cond{CondRefused}
	}
	r.Window, r.WindowWaits = m.value("window", 30), m.chance(40)
	r.Least = m.value("least", 15)
	if m.chance(15) {
		r.ConnectShare = Size{N: pick(m, 7, 25, 100), Origin: m.origin("share")}
	}
	if m.chance(5) {
		r.Window = Value{D: Never, Origin: m.origin("window")}
	}
	return r
}

// tunnel leads a call through a forward proxy.
func (m *maker) tunnel(c *Call) {
	c.Via = "squid"
	for i := range c.Layers {
		limits := c.Layers[i].Limits
		for j := range limits {
			if limits[j].Kind == TLSHandshake {
				limits[j].Start = AtTunnelled
			}
		}
	}
	if last := len(c.Layers) - 1; last >= 0 && m.chance(80) {
		c.Layers[last].Limits = append(c.Layers[last].Limits, m.limit(Tunnel))
	}
}

// next is when the next address is dialled: at the latest when a limit for each address
// has fired.
func (m *maker) next(c *Call) Value {
	v := Value{D: max(m.bound(), time.Millisecond), Origin: m.origin("next")}
	for _, l := range c.Limits() {
		if l.Kind == Connect && l.Per == PerAddress {
			v.D = min(v.D, l.Bound)
		}
	}
	return v
}

func (m *maker) call(caller Role, budget int) *Call {
	c := &Call{TLS: m.chance(50), Addresses: 1 + m.upTo(3), OneByOne: m.chance(50), Product: "client"}
	if m.chance(50) {
		c.Pool = &Pool{PerHost: m.size("perHost", 3), Total: m.size("total", 3)}
	}
	if m.chance(40) {
		c.Idle = []Limit{limit(IdleKeepalive, m.duration(), FiresClose)}
	}
	if m.chance(40) {
		c.Resend = &Retry{On: []Cond{CondStale}, OnMethods: pick(m, nil, []string{"GET"})}
	}
	if m.chance(30) {
		c.Eject = &Ejection{Fails: 1 + m.upTo(1), For: m.duration(), On: m.conds(), Answer: 502}
	}
	c.Method = pick(m, "", "", "POST")
	for range pick(m, 0, 0, 1, 2) {
		layer := ClientLayer{Name: "outer", Limits: m.limits(35, AttemptDeadline, TotalDeadline), Retry: m.retry(c, &budget)}
		c.Layers = append(c.Layers, layer)
	}
	if len(c.Layers) > 0 || !m.chance(5) {
		c.Layers = append(c.Layers, ClientLayer{Limits: m.limits(35, transportKinds...), Retry: m.retry(c, &budget)})
	}
	if m.chance(15) && len(c.Layers) > 0 {
		c.Reused = [][]Limit{{m.limit(ResponseFirstByte), m.limit(ResponseReadGap)}}
	}
	if caller == RoleBuffering {
		c.Times, c.Fallback = m.upTo(2), m.chance(20)
		budget /= max(c.Times, 1)
	}
	if m.chance(30) {
		m.tunnel(c)
	}
	if m.chance(60) {
		c.Next = m.next(c)
	}
	if caller == RolePassing || caller == RoleUnknown {
		c.HoldsBack, c.Collects = m.chance(25), m.chance(25)
	}
	c.To = m.node(budget, false)
	return c
}
