package spring

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// A constant is one value of a client, which stands in its class once.
type constant struct {
	name, kind, value string // "CONNECT", "Timeout", "Timeout.ofMilliseconds(3_000)"
	comment           string
	setting           string // its path; "" if it is from nowhere in the stack
}

// A plan is what a client's class says.
type plan struct {
	constants []constant
	retries   bool   // it repeats by HttpClient's own strategy, else not at all
	reuse     bool   // connections are kept
	own       []path // response limits of single paths; nil if all have the same
}

// A path is a route with a response limit.
type path struct {
	method, pattern string
	value           string
	comment         string
}

// settle reads the limits of the client's uses, which share all but the wait for a
// response.
func settle(cl *limits.Client, policy chain.Policy, c *emit.Collector) plan {
	base := cl.Uses[baseOf(cl)]
	p := read(cl, base, policy, c)
	same := true
	for _, u := range cl.Uses {
		other := read(cl, u, policy, c)
		for _, name := range names(p, other) {
			was, is := p.value(name), other.value(name)
			switch {
			case was == is:
			case name == "RESPONSE":
				same = false
			default:
				c.Refuse(&emit.Refusal{Target: target, Value: u.Node.Layer + " to " + u.Call.To.Layer, Why: base.Route.Name + " and " + u.Route.Name +
					" share client " + cl.Name + ", in which only the wait for a response may differ by path: " + name + " is " + p.said(name) + " and " + other.said(name) +
					"; give both one value, or each route a client of its own"})
			}
		}
		p.own = append(p.own, ownPath(u, other, c))
	}
	if same {
		p.own = nil
	}
	p.own = slices.Compact(p.own)
	return p
}

// names are the names of the constants of both, each once.
func names(a, b plan) []string {
	var out []string
	for _, k := range slices.Concat(a.constants, b.constants) {
		if !slices.Contains(out, k.name) {
			out = append(out, k.name)
		}
	}
	return out
}

// value is the value of a constant, or that it is not set.
func (p plan) value(name string) string {
	for _, k := range p.constants {
		if k.name == name {
			return k.value
		}
	}
	return "unset"
}

// said is the value of a constant with the setting that it is from.
func (p plan) said(name string) string {
	for _, k := range p.constants {
		if k.name == name && k.setting != "" {
			return k.value + " (" + k.setting + ")"
		}
	}
	return p.value(name)
}

// baseOf is the use whose wait for a response is the client's own: one that no
// context decides, else the one with the longest.
func baseOf(cl *limits.Client) int {
	at, longest := 0, time.Duration(-1)
	for i, u := range cl.Uses {
		l, _ := u.Header()
		if l.Origin.Source != "" && !strings.Contains(l.Origin.Setting, ".context.") {
			return i
		}
		if l.Bound > longest {
			at, longest = i, l.Bound
		}
	}
	return at
}

func read(cl *limits.Client, u limits.Use, policy chain.Policy, c *emit.Collector) plan {
	var p plan
	add := func(name, kind, value string, o chain.Origin, note string) {
		p.constants = append(p.constants, constant{name, kind, value, strings.TrimPrefix(emit.From(o)+note, "; "), o.Setting})
	}
	timer := func(name, kind string, l chain.Limit, note string) {
		if l.Bound <= 0 && l.Origin.Source != "" {
			c.Refuse(emit.Refuse(target, l.Origin, "it ends at once, and HttpClient 5 takes 0 for no limit"))
		}
		dialect.Check(l, c)
		add(name, kind, kind+".ofMilliseconds("+number(l.Bound.Milliseconds())+")", l.Origin, note)
	}
	wait := func(name string, l chain.Limit, note string) {
		if l.Origin.Source == "" || l.Bound == chain.Never {
			add(name, "Timeout", "Timeout.DISABLED", l.Origin, "; no limit")
			return
		}
		timer(name, "Timeout", l, note)
	}
	p.pool(cl, u, add, policy)
	p.poolWait(u, timer, c)
	connect, tls := u.Connect(c)
	note := ""
	if connect.Per != chain.PerAddress {
		note = "; here for each address"
	}
	wait("CONNECT", connect, note)
	if u.Call.TLS {
		wait("TLS_READ", tls, "; each read of the handshake")
	}
	response, note := response(u, c)
	wait("RESPONSE", response, note)
	if idle, note := u.Idle(c); idle.Origin.Source != "" {
		p.reuse = true
		timer("KEEP_ALIVE", "TimeValue", idle, note)
	}
	for _, l := range u.Call.Upkeep {
		switch {
		case l.Bound == chain.Never:
		case l.Kind == chain.MaxLifetime:
			timer("TIME_TO_LIVE", "TimeValue", l, "")
		case l.Kind == chain.StaleCheck:
			timer("VALIDATE_AFTER", "TimeValue", l, "")
		case l.Kind == chain.Evict:
			timer("EVICT_IDLE", "TimeValue", l, "")
		}
	}
	p.repeats(u, add, timer, c)
	u.Rest(c)
	d := u.Node.Deadline
	if d.PerCall.Declared() {
		c.Warn(d.PerCall.Origin.Setting, "HttpClient 5 has no limit for a whole call: "+chain.Format(d.PerCall.D)+" is for the caller of "+u.Call.To.Layer+" to keep")
	}
	deadline(d, c)
	return p
}

// deadline warns of what an app's deadline asks of the program: no class here knows of
// the request that a call is made for.
func deadline(d chain.Deadline, c *emit.Collector) {
	for _, part := range []struct {
		chain.Value
		what string
	}{{d.Total, "ending the request"}, {d.Reserve, "keeping it back for the answer"}} {
		if part.Declared() && part.D > 0 {
			c.Warn(part.Origin.Setting, chain.Format(part.D)+" is not written: "+part.what+" is the program's own to do, since no class here knows of the request")
		}
	}
}

// pool is the size of the pool; without one the defaults of 5 and 25 would count.
func (p *plan) pool(cl *limits.Client, u limits.Use, add func(name, kind, value string, o chain.Origin, note string), policy chain.Policy) {
	size := func(s chain.Size, note string) (string, chain.Origin, string) {
		if s.N > 0 {
			return number(int64(s.N)), s.Origin, note
		}
		return "Integer.MAX_VALUE", chain.Origin{}, "no bound"
	}
	var pool chain.Pool
	if u.Call.Pool != nil {
		pool = *u.Call.Pool
	}
	value, o, note := size(pool.PerHost, cl.Need(policy))
	add("PER_ROUTE", "int", value, o, note)
	value, o, note = size(pool.Total, "")
	add("TOTAL", "int", value, o, note)
}

func (p *plan) poolWait(u limits.Use, timer func(name, kind string, l chain.Limit, note string), c *emit.Collector) {
	wait, ok := u.Call.Limit(chain.PoolWait)
	bounded := u.Call.Pool != nil && u.Call.Pool.InForce().N > 0
	switch {
	case ok && wait.Bound != chain.Never:
		timer("POOL_WAIT", "Timeout", wait, "")
	case bounded:
		c.Refuse(&emit.Refusal{Target: target, Setting: wait.Origin.Setting, Value: u.Node.Layer + " to " + u.Call.To.Layer, Why: "the wait for a connection has no limit, and HttpClient 5 has none without: 0 fails at once, and unset is 3 minutes"})
	}
}

// response is the one limit of silence from the request on: HttpClient 5 has no other
// between the reads than before the first one.
func response(u limits.Use, c *emit.Collector) (chain.Limit, string) {
	first, _ := u.Header()
	gap, ok := u.Call.Limit(chain.ResponseReadGap)
	has := func(l chain.Limit) bool { return l.Origin.Source != "" && l.Bound != chain.Never }
	switch {
	case has(first) && ok && has(gap) && first.Bound != gap.Bound:
		c.Refuse(emit.Refuse(target, first.Origin, "responseTimeout is one limit before the response and between its bytes, and cannot be both %s and %s", chain.Format(first.Bound), chain.Format(gap.Bound)))
	case has(first) && !has(gap):
		return first, "; here between two reads of the body, too"
	case !has(first) && has(gap):
		return gap, "; here before the response, too"
	}
	return first, ""
}

// repeats are HttpClient's own repeats; those of another layer are not its.
func (p *plan) repeats(u limits.Use, add func(name, kind, value string, o chain.Origin, note string), timer func(name, kind string, l chain.Limit, note string), c *emit.Collector) {
	for _, layer := range u.Call.Layers {
		r := layer.Retry
		n := chain.MaxAttempts(r, u.Call)
		if r == nil || n <= 1 {
			continue
		}
		if !strings.HasPrefix(r.Attempts.Origin.ID, "httpclient5.") {
			o := r.Attempts.Origin
			if o.Source == "" {
				o = r.Origin
			}
			c.Refuse(emit.Refuse(target, o, "client %s makes %d attempts by a policy that is not HttpClient 5's", u.Call.Client, n))
			continue
		}
		p.retries = true
		add("REPEATS", "int", strconv.Itoa(n-1), r.Attempts.Origin, "")
		timer("REPEAT_AFTER", "TimeValue", chain.Limit{Bound: r.Interval.D, Origin: r.Interval.Origin}, "; after 429 and 503, where no Retry-After says more")
	}
}

// number is a number as Java reads it: 90_000.
func number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}

// ownPath is the pattern of a route for Spring's PathPattern.
func ownPath(u limits.Use, p plan, c *emit.Collector) path {
	out := path{method: u.Route.Method, pattern: u.Route.Pathname}
	switch {
	case strings.HasSuffix(out.pattern, "...}"):
		out.pattern = out.pattern[:strings.LastIndexByte(out.pattern, '{')] + "**"
	case u.Route.Prefix:
		out.pattern += "**"
	}
	if strings.ContainsAny(strings.TrimSuffix(out.pattern, "**"), `*?:\"`) {
		c.Refuse(&emit.Refusal{Target: target, Value: u.Route.Name, Why: "its path has characters that mean something else in Spring's patterns"})
	}
	at := slices.IndexFunc(p.constants, func(k constant) bool { return k.name == "RESPONSE" })
	out.value, out.comment = p.constants[at].value, p.constants[at].comment
	return out
}
