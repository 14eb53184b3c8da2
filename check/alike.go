package check

import "tchain.dev/tchain/chain"

// A likeness is all of a route that a rule can rest on which judges each route by itself.
// Routes that have the same one differ in no more than their names, and in where they
// are written.
type likeness struct {
	play           chain.PlayKey
	tps            int64
	idempotencyKey string
	protocol       string
}

// likenessOf is a route's; ok is false for one that says more of itself.
func likenessOf(r *chain.Route) (likeness, bool) {
	plain := r.Response == chain.Response{} && r.Upload == nil && r.Concurrent.N == 0 && !r.Within.Declared() && !r.QuietFor.Declared()
	return likeness{r.PlayKey(), r.TPS, r.IdempotencyKey, r.Protocol}, plain
}

// first is the first route of the stack that is like a route.
func (p *Pass) first(r *chain.Route) *chain.Route {
	if p.memo.first == nil {
		p.memo.first = map[*chain.Route]*chain.Route{}
		like := map[likeness]*chain.Route{}
		for _, x := range p.Stack.Routes {
			k, plain := likenessOf(x)
			if like[k] == nil || !plain || p.memo.apart {
				p.memo.first[x] = x
				if plain {
					like[k] = x
				}
				continue
			}
			p.memo.first[x] = like[k]
		}
	}
	return p.memo.first[r]
}

// eachRoute runs f, which judges a route by itself, for the first of the routes that are
// alike, and reports of the others what it reports of that one.
func (p *Pass) eachRoute(f func(*chain.Route)) {
	found := map[*chain.Route][]Finding{}
	report := p.report
	defer func() { p.report = report }()
	for _, r := range p.Stack.Routes {
		first := p.first(r)
		if first == r {
			p.report = func(x Finding) { found[r] = append(found[r], x) }
			f(r)
		}
		for _, x := range found[first] {
			if first != r {
				x.Routes = []string{r.Name}
			}
			report(x)
		}
	}
}

// eachHopAlone runs f, which judges a call by its own route, as eachRoute does.
func (p *Pass) eachHopAlone(f func(hop)) {
	p.eachRoute(func(r *chain.Route) {
		for _, h := range p.hops(r) {
			f(h)
		}
	})
}
