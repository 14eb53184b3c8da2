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
	own       []path // what differs by path; nil if nothing does
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

// none is in the place of a constant whose value is that there is none: it is a comment.
const none = "none"

// none says of a setting that there is nothing to set for it.
func (p *plan) none(name string, o chain.Origin) {
	if o.Said() && p.value(name) == "unset" {
		p.constants = append(p.constants, constant{name: name, value: none, comment: emit.From(o), setting: o.Setting})
	}
}

// isZero reports whether a value is a time of 0.
func isZero(value string) bool {
	d, err := time.ParseDuration(value)
	return err == nil && d == 0
}

// line is the constant as a member of its class.
func (k constant) line() string {
	switch k.value {
	case none:
		return "    // " + k.name + ": none; " + k.comment + "\n"
	case follows:
		return "    // The handshake has no limit of its own: each of its reads has that of connecting, which differs by path.\n"
	}
	return "    static final " + k.kind + " " + k.name + " = " + k.value + "; // " + k.comment + "\n"
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
	never := func(name string, o chain.Origin) {
		if o.Said() {
			add(name, "TimeValue", "TimeValue.ofMilliseconds(-1)", o, "; never")
		}
	}
	wait := func(name string, l chain.Limit, note string) {
		if l.Origin.Source == "" || l.Bound == chain.Never {
			add(name, "Timeout", "Timeout.DISABLED", l.Origin, "; no limit")
			return
		}
		timer(name, "Timeout", l, note)
	}
	p.pool(cl, u, add, policy)
	p.poolWait(u, add, timer, c)
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
		case l.Bound == chain.Never && l.Kind == chain.MaxLifetime:
			never("TIME_TO_LIVE", l.Origin)
		case l.Bound == chain.Never:
			p.none("EVICT_IDLE", l.Origin)
		case l.Bound == 0 && l.Kind == chain.StaleCheck:
			add("VALIDATE_AFTER", "TimeValue", "TimeValue.ofMilliseconds(0)", l.Origin, "; before each use")
		case l.Kind == chain.MaxLifetime:
			timer("TIME_TO_LIVE", "TimeValue", l, "")
		case l.Kind == chain.StaleCheck:
			timer("VALIDATE_AFTER", "TimeValue", l, "")
		case l.Kind == chain.Evict:
			timer("EVICT_IDLE", "TimeValue", l, "")
		}
	}
	for _, id := range []string{"connectionConfig.validateAfterInactivity", "validateAfterInactivity"} {
		if s := setting(cl, u, "httpclient5.manager."+id); strings.HasPrefix(s.Value, "-") && !p.has("VALIDATE_AFTER") {
			never("VALIDATE_AFTER", s.Origin) // no limit of the call is left of it
		}
	}
	if s := setting(cl, u, "httpclient5.manager.connectionConfig.idleTimeout"); isZero(s.Value) {
		p.none("IDLE", s.Origin)
	}
	p.switches(cl, u, add, timer)
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

func (p *plan) poolWait(u limits.Use, add func(name, kind, value string, o chain.Origin, note string), timer func(name, kind string, l chain.Limit, note string), c *emit.Collector) {
	wait, ok := u.Call.Limit(chain.PoolWait)
	bounded := u.Call.Pool != nil && u.Call.Pool.InForce().N > 0
	switch {
	case ok && wait.Bound == 0 && bounded:
		add("POOL_WAIT", "Timeout", "Timeout.ofMilliseconds(0)", wait.Origin, "; nobody waits")
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

// A switchConstant is a constant of what a RequestConfig says besides times.
type switchConstant struct{ constant, kind, name string }

var switches = []switchConstant{
	{"REDIRECTS", "boolean", "redirectsEnabled"}, {"MAX_REDIRECTS", "int", "maxRedirects"}, {"EXPECT_CONTINUE", "boolean", "expectContinueEnabled"},
}

// switches are what a request's config and the client say besides times and sizes, as
// far as the stack says it on any of the client's routes.
func (p *plan) switches(cl *limits.Client, u limits.Use, add func(name, kind, value string, o chain.Origin, note string), timer func(name, kind string, l chain.Limit, note string)) {
	for _, k := range switches {
		if s := inRequest(cl, u, k.name); slices.ContainsFunc(cl.Uses, func(u limits.Use) bool { return inRequest(cl, u, k.name).Origin.Said() }) {
			add(k.constant, k.kind, javaNumber(s.Value), s.Origin, "")
		}
	}
	if s := setting(cl, u, "httpclient5.client.http1Config.waitForContinueTimeout"); s.Origin.Said() {
		if d, err := time.ParseDuration(s.Value); err == nil {
			timer("WAIT_FOR_CONTINUE", "Timeout", chain.Limit{Bound: d, Origin: s.Origin}, "")
		}
	}
	if s := setting(cl, u, "httpclient5.manager.poolConcurrencyPolicy"); s.Origin.Said() {
		add("POLICY", "PoolConcurrencyPolicy", "PoolConcurrencyPolicy."+s.Value, s.Origin, "")
	}
}

// inRequest is a setting of the config that the request has, the client's or a context's.
func inRequest(cl *limits.Client, u limits.Use, name string) chain.Setting {
	for _, s := range u.Node.Settings {
		if s.Block == "clients."+cl.Name+".client.requestConfig" && s.Origin.Name == name {
			return s
		}
	}
	return chain.Setting{}
}

// javaNumber is a value that is a number as Java reads it, and any other as it is.
func javaNumber(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return number(n)
	}
	return value
}

// number is a number as Java reads it: 90_000.
func number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}
