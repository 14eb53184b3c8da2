package check

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var probe = &Rule{
	ID:        "probe",
	Title:     "a health check fails under load or through a dependency, or notices a stop too late",
	Why:       "A health check asks an instance whether it is well, and what it does about a no is meant for a broken instance. If the answer waits for a dependency, one slow database restarts every instance, or takes all of them out of use at once, and mends nothing. If it waits for a worker like any other request, load does the same. And a check that needs longer to notice a stopping instance than that goes on serving sends it requests to the last.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "what a person has when every instance is out of use is for the platform to say",
	Check:     checkProbe,
}

func checkProbe(p *Pass) {
	for _, r := range p.Stack.Routes {
		for _, n := range r.Nodes() {
			for _, c := range n.Checks {
				p.probed(n, n, c)
			}
		}
		for _, h := range p.hops(r) {
			if h.call.Check != nil {
				p.probed(h.from, h.call.To, *h.call.Check)
				p.noticed(h, *h.call.Check)
			}
		}
	}
}

// probed judges one check of a layer by what answers it.
func (p *Pass) probed(by, n *chain.Node, c chain.HealthCheck) {
	if c.Path == "" {
		return
	}
	if r, to := p.memo.asked.to(p.Stack, n.Layer, c.Path); to != nil {
		p.through(by, to, r, c)
	}
	p.underLoad(by, n, c)
}

// asked are the routes that checks of a stack ask for, by layer and path: the
// same check is met on every route over its layer.
type asked map[[2]string]answer

type answer struct {
	route *chain.Route
	node  *chain.Node
}

func (a asked) to(s *chain.Stack, layer, path string) (*chain.Route, *chain.Node) {
	k := [2]string{layer, path}
	found, ok := a[k]
	if !ok {
		found.route, found.node = answering(s, layer, path)
		a[k] = found
	}
	return found.route, found.node
}

// answering is the route that a check's path belongs to, and the layer on it.
func answering(s *chain.Stack, layer, path string) (*chain.Route, *chain.Node) {
	for _, r := range s.Routes {
		if !matches(r, path) || r.Method != "" && r.Method != "GET" {
			continue
		}
		for _, n := range r.Nodes() {
			if n.Layer == layer {
				return r, n
			}
		}
	}
	return nil, nil
}

// matches reports whether a route's pattern covers a path, as ServeMux has it.
func matches(r *chain.Route, path string) bool {
	path, _, _ = strings.Cut(path, "?")
	want, got := strings.Split(r.Pathname, "/"), strings.Split(path, "/")
	for i, w := range want {
		switch {
		case i == len(want)-1 && r.Prefix, strings.HasSuffix(w, "...}"):
			return len(got) > i
		case i >= len(got), w != got[i] && !strings.HasPrefix(w, "{"):
			return false
		}
	}
	return len(want) == len(got)
}

// through finds a check that a dependency decides.
func (p *Pass) through(by, n *chain.Node, r *chain.Route, c chain.HealthCheck) {
	for _, call := range n.Calls() {
		if call.Fallback || call.Detached {
			continue
		}
		waits := chain.WorstCall(r, n, call, 0)
		f := p.checkFinding(by, c, []string{r.Name})
		f.Severity = Warning
		switch to := call.To.Layer; {
		case waits.Total >= c.Timeout.D:
			if c.Kills {
				f.Severity = Error
			}
			f.Message = fmt.Sprintf("%s gives up after %s, and %s answers %s after waiting for %s, which may take %s: if %s is silent for %s, that %s",
				c.Name, chain.Shown(c.Timeout.D), n.Layer, c.Path, to, forUpTo(waits.Total), to, chain.Shown(c.Detects()), does(c, n))
		case c.Kills:
			f.Message = fmt.Sprintf("%s asks for %s, which %s answers by calling %s: if %s fails for %s, that %s", c.Name, c.Path, n.Layer, to, to, chain.Shown(c.Detects()), does(c, n))
		default:
			continue
		}
		if c.Kills {
			p.restarts(&f, n, p.Stack.Routes...)
		}
		f.Message += "; let " + c.Path + " answer without " + call.To.Layer
		f.Related = append(f.Related, Related{Pos: call.Pos, Message: "the dependency"})
		p.Report(f) // of those of one check the gravest stand
	}
}

func forUpTo(d time.Duration) string {
	if d == chain.Never {
		return "for ever"
	}
	return chain.Shown(d)
}

func does(c chain.HealthCheck, n *chain.Node) string {
	if c.Kills {
		return "restarts every instance of " + n.Layer + ", which mends nothing"
	}
	return "takes every instance of " + n.Layer + " out of use at once"
}

// underLoad finds a check that gets no worker while ordinary requests hold them
// all, or while those of a silent callee do.
func (p *Pass) underLoad(by, n *chain.Node, c chain.HealthCheck) {
	if n.Concurrency.N <= 0 {
		return
	}
	count, said := instances(n)
	busy := chain.Busy{Instances: count}
	var held, own time.Duration
	var slow, ordinary *chain.Route
	counted := true
	seen := map[string]bool{}
	for _, r := range p.Stack.Routes {
		for _, m := range r.Nodes() {
			if m.Layer != n.Layer || r.Pathname == c.Path || seen[r.Name] {
				continue
			}
			seen[r.Name] = true
			stays, work := longest(r, m), declaredWork(m)
			if stays.least { // what is said is how long at most
				stays.d = work
			}
			counted = counted && r.Loaded()
			busy.AddLoad(r, &chain.Call{}, stays.d)
			if stays.d > held {
				held, slow = stays.d, r
			}
			if work > own {
				own, ordinary = work, r
			}
		}
	}
	if !counted && held != chain.Never { // what a fault makes long matters with its rate; what it makes endless takes all workers at any
		held, slow = own, ordinary
	}
	grows := counted && said && held != chain.Never && busy.Need() > n.Concurrency.N
	if slow == nil || !grows && held < c.Detects() || counted && busy.Need() < n.Concurrency.N {
		return
	}
	f := p.checkFinding(by, c, []string{slow.Name})
	if f.Severity = Warning; c.Kills && (counted || held == chain.Never) {
		f.Severity = Error
	}
	workers, them := fmt.Sprintf("one of the %d workers", n.Concurrency.N), "them"
	if n.Concurrency.N == 1 {
		workers, them = "the only worker", "it"
	}
	long := "for up to " + chain.Shown(held)
	if held == chain.Never {
		long = "for ever"
	}
	f.Message = fmt.Sprintf("%s needs %s of %s, and requests hold %s %s; after %s without a free one it %s",
		c.Name, workers, n.Layer, them, long, chain.Shown(c.Detects()), does(c, n))
	if held < c.Detects() {
		f.Message = fmt.Sprintf("%s waits behind the requests of %s, which come faster than they end when each holds %s %s: %d at once in each instance would have to fit, the queue only grows, and after %s of it the check %s",
			c.Name, n.Layer, workers, long, busy.Need(), chain.Shown(c.Detects()), does(c, n))
	}
	if c.Kills {
		p.restarts(&f, n, slow)
	}
	f.Related = append(f.Related, Related{Pos: slow.Pos, Message: "holds a worker " + long}, Related{Pos: n.Concurrency.Origin.Pos, Message: plural(n.Concurrency.N, "worker") + known(n.Concurrency.Origin)})
	if c.Every.D > 0 && held != chain.Never && held >= c.Detects() {
		fails := int((held-c.Timeout.D)/c.Every.D) + 2
		if fix, ok := setNumber(c.Fails.Origin, fails); ok && c.Kills {
			fix.After = fmt.Sprintf("then it takes longer than %s", chain.Shown(held))
			f.Fixes = append(f.Fixes, fix)
		}
	}
	p.Report(f)
}

// restarts says in a finding what a request has that is inside of a layer when it is
// restarted.
func (p *Pass) restarts(f *Finding, n *chain.Node, routes ...*chain.Route) {
	f.Outcome = p.lostInside(n, routes...)
	f.Message += inWords("; what it was at work on then ends so:", f.Outcome)
}

// lostInside is what the outermost layer has of a request that is inside of a layer when
// it is restarted, on the first route that tells; nil where none does.
func (p *Pass) lostInside(n *chain.Node, routes ...*chain.Route) *chain.Outcome {
	for _, r := range routes {
		for _, h := range p.hops(r) {
			if h.call.To.Layer != n.Layer {
				continue
			}
			if o := p.comesTo(h, chain.ResetFault); o != nil {
				return o
			}
		}
	}
	return nil
}

// noticed finds a check that needs longer to see that an instance stops than
// that one goes on serving.
func (p *Pass) noticed(h hop, c chain.HealthCheck) {
	pre := h.call.To.Stop.PreStop
	said := c.Every.Origin.Said() || c.Fails.Origin.Said()
	if _, told := writtenLimit(h.call.Upkeep, chain.Drain); told || !said || !pre.Declared() || c.Notices() < pre.D {
		return
	}
	f := p.checkFinding(h.from, c, []string{h.route.Name})
	f.Message = fmt.Sprintf("%s of %s takes up to %s = %d × %s to notice that %s stops, and %s serves for %s more: unless it is deregistered besides, the last requests meet nobody",
		c.Name, h.from.Layer, chain.Shown(c.Notices()), c.Fails.N, chain.Shown(c.Every.D), h.call.To.Layer, h.call.To.Layer, chain.Shown(pre.D))
	f.Related = append(f.Related, Related{Pos: pre.Origin.Pos, Message: "serves no longer" + known(pre.Origin)})
	f.offer(set(pre.Origin, above(pre.Origin, c.Notices())))
	f.Severity = Warning // who deregisters it, and when, is not declared
	f.Outcome = p.comesTo(h, chain.Refused)
	f.Message += inWords(", and end so:", f.Outcome)
	p.Report(f)
}

func (p *Pass) checkFinding(by *chain.Node, c chain.HealthCheck, routes []string) Finding {
	return Finding{
		Routes: routes, Layer: by.Layer, Setting: c.Every.Origin.Setting, Owner: by.Owner, Pos: c.Pos,
		Label: fmt.Sprintf("%s, every %s, %s each", plural(max(c.Fails.N, 1), "failure"), chain.Shown(c.Every.D), chain.Shown(c.Timeout.D)) + known(c.Every.Origin),
	}
}
