package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var capacity = &Rule{
	ID:        "capacity",
	Title:     "callers can have more requests open at once than the callee works on",
	Why:       "A callee works on a fixed number of requests at once, and the next one waits in its queue, or is refused. A database counts the connections that are open, and a pool that keeps its connections when idle holds them in every instance. When its own callee goes silent, every request stays for as long as its caller lets it, so requests per second × time held are inside at once. If that is more than the threads there are, requests that have nothing to do with the fault wait as well, and health checks among them. A callee that is set to work on none refuses every request.",
	Severity:  Error,
	Since:     "0.1.0",
	Options:   []Option{{"poolAgainst", "limit", "what a request is held for: the caller's limit, or the callee's declared p99 or avg"}},
	NoOutcome: "how a callee turns away what is too much for it, by its connection or by an answer, is not known, and its callers make another status of either",
	Check:     checkCapacity,
}

// A caller is a layer with what it can have open at one callee.
type caller struct {
	hop    hop // the one that holds longest
	routes []*chain.Route
	tps    int64
	held   time.Duration
	busy   chain.Busy
	// unrated are the routes that do not say how much comes in.
	unrated []*chain.Route
}

func checkCapacity(p *Pass) {
	callers, counts := map[string][]*caller{}, fullEntrances(p)
	p.eachHop(func(h hop) {
		to := h.to
		if h.from.PassesFlows() || !counts(h) { // those are its caller's
			return
		}
		all := callers[to.Layer]
		i := slices.IndexFunc(all, func(c *caller) bool { return c.hop.from.Layer == h.from.Layer })
		if i < 0 {
			i, all = len(all), append(all, &caller{hop: h})
			callers[to.Layer] = all
		}
		all[i].add(p, h)
	})
	p.eachHop(func(h hop) {
		p.refused(h)
		reportCapacity(p, h.to, callers[h.to.Layer])
		delete(callers, h.to.Layer)
	})
}

// refused finds a callee that is set to work on nothing, and a caller that lets no call through.
func (p *Pass) refused(h hop) {
	to := h.to
	if o := h.call.Refuses; o.Source != "" {
		end := p.comesTo(h, chain.Refused)
		p.Report(h.found(Finding{
			Setting:  o.Setting,
			Severity: soften(Error, o), Pos: o.Pos, Label: "none at once" + known(o),
			Message: fmt.Sprintf("%s makes no call to %s at all: %s is %s, and each one fails at once", h.from.Layer, to.Layer, o.Name, o.Text) + inWords(", and ends so:", end),
			Outcome: end,
		}))
	}
	if o := to.Refuses; o.Source != "" && !h.from.PassesFlows() {
		end := p.turnedAway(h)
		p.Report(Finding{
			Outcome: end,
			Routes:  []string{h.route.Name}, Layer: to.Layer, Setting: o.Setting, Owner: to.Owner,
			Severity: soften(Error, o), Pos: o.Pos, Label: "none at once" + known(o),
			Message: fmt.Sprintf("%s works on no request at all: %s is %s, and every call of %s is refused", to.Layer, o.Name, o.Text, h.from.Layer) + inWords(", and ends so:", end),
			Related: []Related{{Pos: h.call.Pos, Message: h.from.Layer + " calls it"}},
		})
	}
}

// HeldInside is how long a request of a call of from can be inside of the callee while one
// thing goes wrong behind that, in the same way for every request: attempts of which each
// fails in another way come together in one of them at most. [chain.Never] if nothing ends it.
func HeldInside(s *chain.Stack, r *chain.Route, from *chain.Node, c *chain.Call) time.Duration {
	return heldInside(s, r, from, c, chain.PlayAll)
}

func heldInside(s *chain.Stack, r *chain.Route, from *chain.Node, c *chain.Call, play func(*chain.Route) []chain.Trace) time.Duration {
	held, _ := s.Policy.Held(from, c)
	to := c.Answering()
	if len(to.Calls()) > 0 {
		held = min(held, chain.Add(longestPlay(r, to, play), ownTimes(to)))
	}
	defer withoutResolving(to)()
	if w := chain.Worst(r, to); len(w.NotChecked) == 0 {
		held = min(held, w.Total)
	}
	return held
}

// longestPlay is how late a layer answers a request under one fault further in. What
// comes byte by byte is gap-only's.
func longestPlay(r *chain.Route, n *chain.Node, play func(*chain.Route) []chain.Trace) time.Duration {
	inside, latest := *r, time.Duration(0)
	inside.Root = n
	for _, t := range play(&inside) {
		if !dripping(t.Fault.Kind) {
			latest = max(latest, t.Outcome.At)
		}
	}
	return latest
}

// ownTimes is what a layer and all that it calls may take for themselves, which is in no
// play of a fault.
func ownTimes(n *chain.Node) time.Duration {
	promised, _ := n.Promise()
	own := chain.Add(chain.Add(n.Work.ColdStart.D, n.Work.Max.D), promised.Bound)
	for _, c := range n.Calls() {
		own = chain.Add(own, ownTimes(c.To))
	}
	return own
}

func (h hop) heldInside() time.Duration {
	return heldInside(h.pass.Stack, h.route, h.from, h.call, h.pass.traces)
}

// fullEntrances are the hops that count, of callees that have a bound: a route with
// several entrances has one rate for all of them, and all of it may come by the one
// that holds a callee longest.
func fullEntrances(p *Pass) (counts func(hop) bool) {
	type way struct {
		callee string
		route  *chain.Route
	}
	type named struct{ callee, route string }
	held, most := map[way]time.Duration{}, map[named]*chain.Route{}
	p.eachHop(func(h hop) {
		if h.to.Concurrency.N <= 0 || h.from.PassesFlows() {
			return
		}
		w := way{h.to.Layer, h.route}
		held[w] = chain.Add(held[w], h.heldInside())
	})
	p.eachHop(func(h hop) {
		to, n := h.to.Layer, named{h.to.Layer, h.route.Name}
		if held[way{to, h.route}] > held[way{to, most[n]}] {
			most[n] = h.route
		}
	})
	return func(h hop) bool { return most[named{h.to.Layer, h.route.Name}] == h.route }
}

func (c *caller) add(p *Pass, h hop) {
	if !h.route.Loaded() {
		c.unrated = append(c.unrated, h.route)
		return
	}
	if !slices.Contains(c.routes, h.route) {
		c.routes = append(c.routes, h.route)
	}
	held := h.heldInside()
	c.tps += h.route.Rate(h.call)
	c.busy.AddSilent(h.route, h.from, h.call, held)
	if held > c.held {
		c.hop, c.held = h, held
	}
}

// open is what the caller can have open at once, and the sum behind it: at least
// what its routes with a rate come to. ok is false where neither a pool nor a rate
// says anything.
func (c *caller) open() (n int, text string, ok bool) {
	h := c.hop
	count, _ := instances(h.from)
	count = max(count, h.from.ScaleMax)
	if pool := h.call.Pool; pool != nil && pool.InForce().N > 0 {
		each := pool.InForce().N
		n, text, ok = each*count, fmt.Sprintf("%s %d = pool of %d × %s", h.from.Layer, each*count, each, plural(count, "instance")), true
	}
	need, counted := c.busy.Need(), c.held != chain.Never || c.tps == 0
	if all := len(c.unrated) == 0; counted && (all && need < n || !ok && need > 0) {
		n, text, ok = need, fmt.Sprintf("%s %d = %s", h.from.Layer, need, loadsText(c.busy.Loads(), len(c.routes), "")), true
		if len(c.routes) == 1 && c.tps == 0 {
			text = fmt.Sprintf("%s %d open at once", h.from.Layer, need)
		}
		if !all {
			text += ", and more by " + plural(len(c.unrated), "route") + " without a tps"
		}
	} else {
		c.routes = append(c.routes, c.unrated...) // the pool holds for all of them
	}
	if kept, kText := c.kept(count); kept > n {
		n, text, ok = kept, kText, true
	}
	return n, text, ok
}

// kept are the connections that the caller holds whether it has requests or not, where
// the callee counts those, and the sum behind them.
func (c *caller) kept(count int) (n int, text string) {
	h := c.hop
	if !h.to.PerConnection || h.call.Pool == nil {
		return 0, ""
	}
	opened := h.call.Pool.Opened.N
	each := min(opened, cmp.Or(h.call.Pool.InForce().N, opened))
	n = each * count
	return n, fmt.Sprintf("%s %d = %d kept when idle × %s", h.from.Layer, n, each, plural(count, "instance"))
}

func reportCapacity(p *Pass, n *chain.Node, callers []*caller) {
	sum, parts := 0, make([]string, 0, len(callers))
	var routes []string
	var related []Related
	var asks []hop
	for _, c := range callers {
		open, text, ok := c.open()
		if !ok {
			continue
		}
		sum, parts, asks = sum+open, append(parts, text), append(asks, c.hop)
		for _, r := range c.routes {
			routes = append(routes, r.Name)
		}
		related = append(related, Related{Pos: c.hop.call.Pos, Message: text})
	}
	count, said := instances(n)
	o, serves := n.Concurrency.Origin, n.Concurrency.N*count
	if sum <= serves {
		return
	}
	works, rest := "works on "+plural(serves, "request")+" at once", "the rest waits, whatever it asks for"
	if n.PerConnection {
		works = "takes " + plural(serves, "connection") + " at once"
	}
	var end *chain.Outcome
	switch {
	case n.TurnsAway:
		end = p.turnedAway(asks[0])
		rest = "the rest is refused, whatever it asks for" + inWords(", and ends so:", end)
	default:
		end = p.comesTo(asks[0], chain.Silent)
		rest += inWords(", and what waits for too long ends so:", end)
	}
	f := Finding{
		Routes: routes, Layer: n.Layer, Setting: o.Setting, Owner: n.Owner,
		Severity: soften(Warning, o), Pos: o.Pos, Label: fmt.Sprintf("%d at once in each instance", n.Concurrency.N) + known(o), Related: related,
		Message: fmt.Sprintf("%s %s (%d × %s), fewer than the %d that its callers can have open: %s; %s",
			n.Layer, works, n.Concurrency.N, plural(count, "instance"), sum, strings.Join(parts, " + "), rest),
		Outcome: end,
	}
	if !said {
		f.Message += "; instances is not declared, 1 is counted"
	}
	does, more := "worked on", n.Concurrency.For((sum+count-1)/count)
	if n.PerConnection {
		does = "taken"
	}
	f.offer(setNumber(o, more)).After = fmt.Sprintf("then %d are %s", more*max(n.Concurrency.Each, 1)*count, does)
	p.Report(f)
}
