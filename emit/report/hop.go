package report

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// A Hop is one call with every timer of both of its sides.
type Hop struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Worst  Duration `json:"worst"`
	Sum    []Term   `json:"sum"`
	Wait   Wait     `json:"wait"`
	Pool   *Pool    `json:"pool"`
	Limits []Limit  `json:"limits"`
	// NotChecked are phases that count as nothing in Worst, since no setting bounds
	// them or the value of the one that does is injected and not given.
	NotChecked []string `json:"notChecked"`

	leaf    bool   // the callee calls nobody itself
	unknown string // the injected setting without which Worst cannot be told, "" if there is none
}

// A Term is one summand of a worst case.
type Term struct {
	N     int      `json:"n"`
	Value Duration `json:"value"`
	Label string   `json:"label"`
}

// A Pool is the connections that one instance of the caller can have open.
type Pool struct {
	Size    int    `json:"size"`
	Need    *int   `json:"need"`    // of this route alone; nil if it is not known or endless
	Setting string `json:"setting"` // the one that decides the size
	// Routes are all that use the pool, and NeedOfAll what they need together: nil
	// if it is endless, or no route tells how much comes in.
	Routes    []string `json:"routes"`
	NeedOfAll *int     `json:"needOfAll"`

	name string // its last word
}

// A Limit is one timer in force.
type Limit struct {
	Kind    string    `json:"kind"`
	Side    string    `json:"side"`
	Setting string    `json:"setting"`
	Value   Duration  `json:"value"`
	Why     string    `json:"why"`
	Origin  string    `json:"origin"`
	Product string    `json:"product"`
	Proof   string    `json:"proof"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	When    string    `json:"when"` // "after GET /balance"; "" on every connection
	Slack   *Duration `json:"slack"`

	name string    // the last word of the setting
	left *Duration // the slack less the error room; nil with it
}

func chainTime(d Duration) time.Duration { return time.Duration(d) }

func hopsOf(s *chain.Stack, all map[string]*chain.Demand, r *chain.Route) []Hop {
	out := []Hop{}
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			out = append(out, hopOf(s, all[chain.PoolKey(n, c)], r, n, c))
		}
	}
	return out
}

func hopOf(s *chain.Stack, all *chain.Demand, r *chain.Route, n *chain.Node, c *chain.Call) Hop {
	worst := worstOf(r, c.To)
	h := Hop{
		From: n.Layer, To: c.To.Layer, Worst: Duration(worst.Total), Sum: []Term{}, Limits: []Limit{},
		NotChecked: eachOnce(worst.NotChecked), leaf: len(c.To.Calls()) == 0, unknown: worst.Unknown,
	}
	ends := worst.Total
	if h.unknown != "" {
		ends = chain.Never // no limit can be laid beside a time that nobody knows
	}
	for _, t := range worst.Terms {
		if worst.Total == chain.Never {
			break // a sum that leaves out what is endless explains nothing
		}
		h.Sum = append(h.Sum, Term{max(t.N, 1), Duration(t.D), t.Label})
	}
	limits := c.Limits()
	if l, ok := n.Deadline.Limit(0); ok {
		limits = append(limits, l)
	}
	for _, l := range limits {
		if l.Kind == chain.TLSHandshake && !c.TLS {
			continue
		}
		h.Limits = append(h.Limits, callLimit(s, c, l, ends))
	}
	for _, left := range c.Reused {
		for _, l := range left {
			h.Limits = append(h.Limits, callLimit(s, c, l, ends))
		}
	}
	for _, l := range c.To.Serve {
		h.Limits = append(h.Limits, limitOf(l, chain.Answering))
	}
	h.Wait = waitOf(s, c, limits, ends)
	h.Pool = poolOf(s, all, r, n, c)
	return h
}

// worstOf is the worst end of a layer. One of unknown limits that stands last promises as
// little as an external service.
func worstOf(r *chain.Route, n *chain.Node) chain.Sum {
	if n.Role == chain.RoleUnknown && len(n.Calls()) == 0 {
		return chain.Sum{Total: chain.Never}
	}
	return chain.Worst(r, n)
}

// eachOnce are the reasons in order: two timers of one setting have the same.
func eachOnce(reasons []string) []string {
	out := []string{}
	for _, x := range reasons {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// bounds reports whether a limit is of a kind that ends the wait for the callee's
// answer, whatever its value.
func bounds(l chain.Limit) bool {
	switch l.Kind {
	case chain.ResponseHeader, chain.ResponseFirstByte, chain.AttemptDeadline, chain.TotalDeadline:
		return true
	}
	return false
}

// watches reports whether a limit ends the wait for the callee's answer.
func watches(l chain.Limit) bool {
	return bounds(l) && l.Ends() && l.Bound != chain.Never
}

// callLimit is a limit of a call, with what is left under it when the callee ends at
// its worst.
func callLimit(s *chain.Stack, c *chain.Call, l chain.Limit, worst time.Duration) Limit {
	out := limitOf(l, chain.Calling)
	if watches(l) && worst != chain.Never {
		slack := Duration(l.Bound - worst)
		left := slack - Duration(s.Policy.Room(c.To, l.Bound))
		out.Slack, out.left = &slack, &left
	}
	return out
}

func limitOf(l chain.Limit, side chain.Side) Limit {
	o := l.Origin
	out := Limit{
		Kind: string(l.Kind), Side: string(side), Setting: o.Setting, Value: Duration(l.Bound), Why: l.Why,
		Origin: string(o.Source), Product: o.Product, Proof: "sourced",
		File: o.Pos.File, Line: o.Pos.Line, When: l.When, name: o.Name,
	}
	if why := l.TellsOnly(); why != "" {
		out.Why = why
	}
	if o.Proved {
		out.Proof = "proved"
	}
	return out
}

// demands are what all routes of a stack together ask of each pool, by its key.
func demands(s *chain.Stack) map[string]*chain.Demand {
	out := map[string]*chain.Demand{}
	for _, r := range s.Routes {
		if !r.Loaded() {
			continue
		}
		for _, n := range r.Nodes() {
			for _, c := range n.Calls() {
				if c.Pool == nil {
					continue
				}
				key := chain.PoolKey(n, c)
				if out[key] == nil {
					out[key] = &chain.Demand{}
				}
				out[key].Add(s.Policy, r, n, c)
			}
		}
	}
	return out
}

// poolOf is what a call may have open and what it needs for the peak rate of its
// route, and for those of all routes, while a connection is held for its longest.
func poolOf(s *chain.Stack, all *chain.Demand, r *chain.Route, n *chain.Node, c *chain.Call) *Pool {
	if c.Pool == nil || c.Pool.InForce().N == 0 {
		return nil
	}
	size := c.Pool.InForce()
	p := &Pool{Size: size.N, Setting: size.Origin.Setting, Routes: []string{}, name: size.Origin.Name}
	if r.Loaded() {
		var own chain.Demand
		own.Add(s.Policy, r, n, c)
		p.Need = needOf(&own)
	}
	if all != nil {
		p.Routes, p.NeedOfAll = append(p.Routes, all.Routes...), needOf(all)
	}
	return p
}

// needOf is the need of a demand; nil where it has no end.
func needOf(d *chain.Demand) *int {
	if d.Open {
		return nil
	}
	need := d.Need()
	return &need
}
