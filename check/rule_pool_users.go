package check

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// A poolUse is one callee that draws on a pool, over all routes.
type poolUse struct {
	entrance map[string]*chain.Route // by name, the entrance that counts
	hop      hop                     // the first one; its call is nil for a callee that no route calls
	callee   string
	routes   []*chain.Route
	tps      int64
	// silentTPS are the calls that hold a connection while the callee is silent.
	silentTPS int64
	silent    chain.Busy // connections while the callee is silent
	well      chain.Busy // connections while it answers as declared
	avg       chain.Busy // connections on average; only where that is declared
	open      bool       // nothing ends the read on some route
}

// A sharedPool is one pool of a layer's client with all that draw on it.
type sharedPool struct {
	pool *chain.Pool
	uses []*poolUse
}

// pools are the pools of all clients. A route with several entrances has one
// rate for all of them, which counts once.
func (p *Pass) pools() []*sharedPool {
	var out []*sharedPool
	byKey := map[string]*sharedPool{}
	p.eachHop(func(h hop) {
		if h.call.Pool == nil {
			return
		}
		key := h.from.Layer + "\x00" + h.call.Client
		s := byKey[key]
		if s == nil {
			s = &sharedPool{pool: h.call.Pool}
			byKey[key], out = s, append(out, s)
		}
		s.add(p, h)
	})
	for _, s := range out {
		for _, name := range s.pool.Shared {
			s.use(name)
		}
	}
	return out
}

func (s *sharedPool) use(callee string) *poolUse {
	for _, u := range s.uses {
		if u.callee == callee {
			return u
		}
	}
	u := &poolUse{callee: callee, entrance: map[string]*chain.Route{}}
	s.uses = append(s.uses, u)
	return u
}

func (s *sharedPool) add(p *Pass, h hop) {
	u := s.use(h.call.To.Layer)
	if u.hop.call == nil {
		u.hop = h
	}
	switch first := u.entrance[h.route.Name]; first {
	case nil:
		u.entrance[h.route.Name] = h.route
		u.routes = append(u.routes, h.route)
	case h.route:
	default:
		return // another entrance of a route that was counted
	}
	held, _ := p.Stack.Policy.Held(h.from, h.call)
	u.tps += h.route.Rate(h.call)
	u.open = u.open || held == chain.Never
	tps, _ := u.silent.AddSilent(h.route, h.from, h.call, held)
	u.silentTPS += tps
	u.well.AddLoad(h.route, h.call, answersIn(h.to.Work, held))
	if w := h.to.Work.Avg; w.Declared() || h.route.Concurrent.N > 0 {
		u.avg.AddLoad(h.route, h.call, w.D)
	}
	n, _ := instances(h.from)
	u.silent.Instances, u.well.Instances, u.avg.Instances = n, n, n
}

// answersIn is how long a healthy callee holds a connection: as it declares,
// else as long as it may.
func answersIn(w chain.Work, held time.Duration) time.Duration {
	switch {
	case w.P99.Declared():
		return w.P99.D
	case w.Avg.Declared():
		return w.Avg.D
	}
	return held
}

// routeNames are the routes of some users, each once.
func routeNames(uses ...*poolUse) []string {
	var out []string
	for _, u := range uses {
		for _, r := range u.routes {
			if !slices.Contains(out, r.Name) {
				out = append(out, r.Name)
			}
		}
	}
	return out
}
