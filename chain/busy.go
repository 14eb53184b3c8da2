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
}

// Add counts tps requests per 1000 s that each hold a connection for d.
func (b *Busy) Add(tps int64, d time.Duration) {
	if d == Never {
		b.open = true
		return
	}
	var x big.Int
	b.sum.Add(&b.sum, x.Mul(big.NewInt(tps), big.NewInt(int64(d))))
}

// AddOpen counts n connections that are always open.
func (b *Busy) AddOpen(n int64) { b.Add(n*1000, time.Second) }

// AddLoad counts what a route keeps open on a call that holds a connection for d:
// what it declares to be open at once, else by its rate.
func (b *Busy) AddLoad(r *Route, c *Call, d time.Duration) {
	if r.Concurrent.N > 0 {
		b.AddOpen(int64(r.Concurrent.N) * int64(max(c.AtOnce, 1)))
		return
	}
	b.Add(r.Rate(c), d)
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
