package chain

import (
	"math/big"
	"time"
)

// Busy adds up what several routes keep open in one pool.
type Busy struct {
	Instances int // below 1 counts as 1
	sum       big.Int
	open      bool
	loads     []Load
}

// A Load is what is held for equally long: a rate, or what is always open.
type Load struct {
	TPS  int64         // requests per 1000 s; 0 of what is always open
	Held time.Duration // how long each one holds a connection; 0 of what is always open
	Open int64         // connections that are always open; 0 of a rate
}

// Loads are the terms of the sum, in the order in which they came.
func (b *Busy) Loads() []Load { return b.loads }

// Add counts tps requests per 1000 s that each hold a connection for d.
func (b *Busy) Add(tps int64, d time.Duration) {
	b.term(Load{TPS: tps, Held: d})
	if d == Never {
		b.open = true
		return
	}
	b.count(tps, d)
}

// AddOpen counts n connections that are always open.
func (b *Busy) AddOpen(n int64) {
	b.term(Load{Open: n})
	b.count(n*1000, time.Second)
}

func (b *Busy) count(tps int64, d time.Duration) {
	var x big.Int
	b.sum.Add(&b.sum, x.Mul(big.NewInt(tps), big.NewInt(int64(d))))
}

// term adds to the one of the same kind and time.
func (b *Busy) term(l Load) {
	for i := range b.loads {
		if x := &b.loads[i]; x.Held == l.Held && (x.Open > 0) == (l.Open > 0) {
			x.TPS, x.Open = x.TPS+l.TPS, x.Open+l.Open
			return
		}
	}
	b.loads = append(b.loads, l)
}

// AddLoad counts what a route keeps open on a call that holds a connection for d:
// what it declares to be open at once, else by its rate.
func (b *Busy) AddLoad(r *Route, c *Call, d time.Duration) {
	if r.Concurrent.N > 0 {
		b.AddOpen(int64(r.Concurrent.N) * int64(max(c.AtOnce, 1)))
		return
	}
	b.Add(r.Rate(c), d)
}

// AddSilent counts what a route keeps open on a call of n while the callee is silent, which
// holds a connection for d: the first call without an answer is the request's last one. A
// callee that is well and takes its average holds more only of a request that calls it often:
// well says that this is counted. tps is the rate that it counts, per 1000 s.
func (b *Busy) AddSilent(r *Route, n *Node, c *Call, d time.Duration) (tps int64, well bool) {
	holds := n.Holds(c)
	switch avg := c.Answering().Work.Avg; {
	case r.Concurrent.N > 0:
		if holds > 0 {
			b.AddOpen(int64(r.Concurrent.N) * int64(holds))
		}
	case avg.Declared() && Times(max(c.Requests, 1), avg.D) > Times(holds, d):
		b.Add(r.Rate(c), avg.D)
		return r.Rate(c), true
	case holds > 0:
		tps = r.TPS * int64(holds)
		b.Add(tps, d)
	}
	return tps, false
}

// Need is how many connections of each instance that keeps busy, rounded up;
// the largest int if some are held for ever.
func (b *Busy) Need() int {
	const most = int(^uint(0) >> 1)
	if b.open {
		return most
	}
	by := big.NewInt(int64(max(b.Instances, 1)))
	by.Mul(by, big.NewInt(int64(1000*time.Second)))
	q, rem := new(big.Int).QuoRem(&b.sum, by, new(big.Int))
	if rem.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return most
	}
	return int(q.Int64())
}
