package haproxy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A keyword is one setting with the words that stand before its value.
type keyword struct {
	name  string // of the setting
	words string // "timeout client"
	kind  kind
	must  bool // without it HAProxy waits as long as it takes
}

type kind int

const (
	aTime kind = iota
	aNumber
	aWord
	aSwitch // option NAME, or no option NAME
	aServer // a parameter of default-server
)

// front are the keywords of the client's side, in writing order.
var front = []keyword{
	{"http-request", "timeout http-request", aTime, false},
	{"client", "timeout client", aTime, true},
	{"client-fin", "timeout client-fin", aTime, false},
	{"client-hs", "timeout client-hs", aTime, false},
	{"http-keep-alive", "timeout http-keep-alive", aTime, false},
	{"tarpit", "timeout tarpit", aTime, false},
}

// back are the keywords of the server's side.
var back = []keyword{
	{"queue", "timeout queue", aTime, false},
	{"connect", "timeout connect", aTime, true},
	{"server", "timeout server", aTime, true},
	{"server-fin", "timeout server-fin", aTime, false},
	{"tunnel", "timeout tunnel", aTime, false},
	{"check", "timeout check", aTime, false},
	{"retries", "retries", aNumber, false},
	{"retry-on", "retry-on", aWord, false},
	{"redispatch", "redispatch", aSwitch, false},
	{"http-reuse", "http-reuse", aWord, false},
	{"maxconn", "maxconn", aServer, false},
	{"pool-purge-delay", "pool-purge-delay", aServer, false},
	{"pool-max-conn", "pool-max-conn", aServer, false},
}

// find is the setting of a keyword; the server lines are a setting and a timeout of
// the same name.
func find(h emit.Hop, name string) (chain.Setting, bool) {
	return pick(h, func(s chain.Setting) bool { return s.Origin.Name == name && !strings.HasSuffix(s.Block, "timeout") })
}

func (k keyword) find(h emit.Hop) (chain.Setting, bool) {
	return pick(h, func(s chain.Setting) bool {
		return s.Origin.Name == k.name && strings.HasSuffix(s.Block, "timeout") == strings.HasPrefix(k.words, "timeout ")
	})
}

func pick(h emit.Hop, is func(chain.Setting) bool) (chain.Setting, bool) {
	at := slices.IndexFunc(h.Node.Settings, func(s chain.Setting) bool { return s.Value != "" && is(s) })
	if at < 0 {
		return chain.Setting{}, false
	}
	return h.Node.Settings[at], true
}

// ofBackend reports whether a timeout is written in a backend only.
func ofBackend(h emit.Hop, name string) bool {
	s, ok := pick(h, func(s chain.Setting) bool { return s.Origin.Name == name && strings.HasSuffix(s.Block, "timeout") })
	return ok && s.Block == "backend.timeout"
}

// ofConnect reports whether a value follows that of connecting, which each section takes
// from its own.
func (k keyword) ofConnect(s chain.Setting) bool {
	return k.name == "tarpit" && s.Origin.Source == chain.Derived
}

// lines are the keywords of one side, each with where its value comes from.
func lines(h emit.Hop, all []keyword, c *emit.Collector) string {
	var b, server strings.Builder
	comments := ""
	for _, k := range all {
		s, ok := k.find(h)
		switch {
		case !ok && k.must:
			b.WriteString("    # no " + k.words + ": it waits as long as it takes\n")
			c.Warn("", h.Node.Layer+" has no "+k.words+": it waits as long as it takes")
		case !ok:
		case k.name == "client-hs" && s.Origin.Source == chain.Derived: // which not every release knows
			b.WriteString("    # " + k.words + " is not written: " + emit.From(s.Origin) + ", " + s.Value + "\n")
		case k.ofConnect(s) && ofBackend(h, "connect"):
			b.WriteString("    # " + k.words + " is not written: it would be that of timeout connect, which no frontend has\n")
		case k.kind == aServer:
			text := s.Value
			if k.name == "pool-purge-delay" {
				text = timer(s, c)
			} else {
				number(s, c)
			}
			server.WriteString(" " + k.words + " " + text)
			comments += "; " + k.words + ": " + emit.From(s.Origin)
		default:
			b.WriteString("    " + k.text(s, c) + " # " + emit.From(s.Origin) + "\n")
		}
	}
	if server.Len() > 0 {
		b.WriteString("    default-server" + server.String() + " # " + strings.TrimPrefix(comments, "; ") + "\n")
	}
	return b.String()
}

func (k keyword) text(s chain.Setting, c *emit.Collector) string {
	switch k.kind {
	case aTime:
		return k.words + " " + timer(s, c)
	case aNumber:
		number(s, c)
	case aSwitch:
		if s.Value != "true" {
			return "no option " + k.words
		}
		return "option " + k.words
	default:
		if strings.ContainsAny(s.Value, "#\"'\\\n$") {
			c.Refuse(emit.Refuse(target, s.Origin, "it needs quoting"))
		}
	}
	return k.words + " " + s.Value
}

var times = regexp.MustCompile(`^[0-9]+(us|ms|s|m|h|d)?$`)

// timer is a time as HAProxy reads it: one number and one unit, at most 2^31-1 ms. A
// bare number is milliseconds, which are written.
func timer(s chain.Setting, c *emit.Collector) string {
	if !times.MatchString(s.Value) {
		c.Refuse(emit.Refuse(target, s.Origin, "a time is one number with one unit, of which HAProxy would read the first only"))
		return s.Value
	}
	if _, err := strconv.Atoi(s.Value); err == nil && s.Value != "0" {
		return s.Value + "ms"
	}
	return s.Value
}

func number(s chain.Setting, c *emit.Collector) {
	if _, err := strconv.Atoi(s.Value); err != nil {
		c.Refuse(emit.Refuse(target, s.Origin, "it is a whole number"))
	}
}

// agree refuses two routes that need different values in one section.
func agree(a, b emit.Hop, all []keyword, section string, c *emit.Collector) {
	same := func(x, y chain.Setting, words string) {
		if x.Value != y.Value {
			path := y.Origin.Setting
			if path == "" {
				path = x.Origin.Setting
			}
			c.Refuse(&emit.Refusal{Target: target, Setting: path, Why: a.Label() + " and " + b.Label() + " meet in one " + section + ", where " +
				words + " cannot be both " + unset(x.Value) + " and " + unset(y.Value)})
		}
	}
	for _, k := range all {
		x, _ := k.find(a)
		y, _ := k.find(b)
		if k.ofConnect(x) && k.ofConnect(y) {
			continue
		}
		same(x, y, k.words)
	}
	x, _ := find(a, "server")
	y, _ := find(b, "server")
	if section != "frontend" {
		same(x, y, "server")
	}
}

func unset(v string) string {
	if v == "" {
		return "unset"
	}
	return v
}

var address = regexp.MustCompile(`^(\S+:[0-9]+|unix@\S+|/\S+)$`)

// serverLines are the servers of a list, each with its parameters.
func serverLines(list string) []string {
	var out []string
	for _, w := range strings.Fields(list) {
		if len(out) > 0 && !address.MatchString(w) {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
	}
	return out
}
