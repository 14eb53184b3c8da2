package spring

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// A path is a route with the values of its own.
type path struct {
	method, pattern string
	values          []constant
}

// requestSetters are the constants that a RequestConfig can hold, and that may differ by path, by
// its setters.
var requestSetters = map[string]string{
	"POOL_WAIT": "setConnectionRequestTimeout", "CONNECT": "setConnectTimeout", "RESPONSE": "setResponseTimeout", "KEEP_ALIVE": "setConnectionKeepAlive",
	"REDIRECTS": "setRedirectsEnabled", "MAX_REDIRECTS": "setMaxRedirects", "EXPECT_CONTINUE": "setExpectContinueEnabled",
}

// settle reads the limits of the client's uses, which share all that a RequestConfig
// does not hold.
func settle(cl *limits.Client, policy chain.Policy, c *emit.Collector) plan {
	var others []plan
	for _, u := range cl.Uses {
		others = append(others, read(cl, u, policy, c))
	}
	at := baseOf(cl, others)
	base, p := cl.Uses[at], others[at]
	p.constants = slices.Clone(p.constants)
	p.withoutContext(cl, base, c)
	p.handshakes(cl, others)
	var differ []string
	for i, other := range others {
		u := cl.Uses[i]
		for _, name := range names(p, other) {
			was, is := p.value(name), other.value(name)
			switch {
			case was == is || slices.Contains(differ, name):
			case requestSetters[name] != "" && was != "unset" && is != "unset":
				differ = append(differ, name)
			default:
				c.Refuse(&emit.Refusal{Target: target, Value: u.Node.Layer + " to " + u.Call.To.Layer, Why: base.Route.Name + " and " + u.Route.Name +
					" share client " + cl.Name + ", in which only what a RequestConfig holds may differ by path: " + name + " is " + p.said(name) + " and " + other.said(name) +
					"; give both one value, or each route a client of its own"})
			}
		}
	}
	if differ == nil {
		return p
	}
	for i, other := range others {
		if own := ownPath(cl.Uses[i], other, differ, c); !slices.ContainsFunc(p.own, own.same) {
			p.own = append(p.own, own)
		}
	}
	// A route for HEAD comes before one for GET, which takes HEAD too, and one for any
	// method comes last.
	slices.SortStableFunc(p.own, func(a, b path) int { return cmp.Compare(a.rank(), b.rank()) })
	return p
}

// handshakes leaves out a limit of handshakes that differs by path where HttpClient 5 has
// the same without one: since 5.5.1 a handshake has the limit of connecting, and one
// through a tunnel that of a response.
func (p *plan) handshakes(cl *limits.Client, others []plan) {
	const name = "TLS_READ"
	differs := false
	for i, other := range others {
		differs = differs || other.value(name) != p.value(name)
		follows := "CONNECT"
		if cl.Uses[i].Call.Via != "" {
			follows = "RESPONSE"
		}
		if other.value(name) != other.value(follows) {
			return
		}
	}
	if !differs {
		return
	}
	for _, q := range append(others[:len(others):len(others)], *p) {
		at := slices.IndexFunc(q.constants, func(k constant) bool { return k.name == name })
		q.constants[at].value = follows
	}
}

// follows is the value of a constant that is not written, since another one is in force.
const follows = "follows"

func (p path) rank() int {
	switch p.method {
	case "HEAD":
		return 0
	case "":
		return 2
	}
	return 1
}

func (p path) same(q path) bool {
	return p.method == q.method && p.pattern == q.pattern && slices.Equal(p.values, q.values)
}

// baseOf is the use whose values are the client's own: the one of which contexts decide
// least, and of several the one with the longest wait for a response.
func baseOf(cl *limits.Client, plans []plan) int {
	at, least, longest := 0, math.MaxInt, time.Duration(0)
	for i, u := range cl.Uses {
		decided := 0
		for _, k := range plans[i].constants {
			if strings.Contains(k.setting, ".context.") {
				decided++
			}
		}
		l, _ := u.Header()
		if decided < least || decided == least && l.Bound > longest {
			at, least, longest = i, decided, l.Bound
		}
	}
	return at
}

// ownPath is a route as Spring's PathPattern, with its values of what differs by path.
func ownPath(u limits.Use, p plan, differ []string, c *emit.Collector) path {
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
	for _, k := range p.constants {
		if slices.Contains(differ, k.name) {
			out.values = append(out.values, k)
		}
	}
	return out
}
