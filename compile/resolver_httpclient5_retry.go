package compile

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// idempotentMethods are the methods that the client repeats after an I/O error.
var idempotentMethods = []string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}

// retries are what the client does unless it is told not to: after a status it
// repeats any request, after an I/O error that is no timeout an idempotent one,
// and that at once.
func (r *hc5Reader) retries(c *hc5Config, req hc5Request) (status, io *chain.Retry) {
	if off := r.find("client.disableAutomaticRetries"); off != nil && off.on() {
		return nil, nil
	}
	count, wait := r.find("client.retryStrategy.maxRetries"), r.find("client.retryStrategy.defaultRetryInterval")
	if count == nil || wait == nil || count.state != known || count.number() <= 0 {
		return nil, nil
	}
	size := chain.Size{N: count.number() + 1, Origin: count.origin}
	size.Origin.Note = "the first attempt is counted, too"
	hidden := !count.written() && !wait.written()
	io = &chain.Retry{
		Attempts: size, On: []chain.Cond{chain.CondStale, chain.CondReset, chain.CondKilled},
		OnMethods: idempotentMethods, Hidden: hidden, Origin: count.origin,
	}
	if c.has("5.1") && req.rt != nil && !req.rt.unknown && req.rt.d > 0 && wait.d > req.rt.d {
		return nil, io // the wait is longer than a response may take: the status is passed on
	}
	return &chain.Retry{
		Attempts: size, On: []chain.Cond{"429", "503"}, Interval: wait.value(), Hidden: hidden, Origin: count.origin,
	}, io
}

// sticky notes that a read on a pooled connection has another limit than on a
// fresh one: that of the handshake, or of a request before.
func (r *hc5Reader) sticky(c *hc5Config, req hc5Request, fresh *hc5Value) {
	note := func(reused *hc5Value, how string) {
		r.out.Notices = append(r.out.Notices, chain.Notice{
			Kind: chain.NoticeSticky, Origin: reused.origin, Winner: fresh.origin,
			Message: fmt.Sprintf("a read on a pooled connection may take %s, %s; on a fresh one %s", zeroIsNever(reused.d), how, zeroIsNever(fresh.d)),
		})
	}
	if v := c.readReused(req, nil, nil); v.d != fresh.d && !v.unknown && !fresh.unknown {
		note(v, fmt.Sprintf("the %s left by the handshake in HttpClient %s", v.origin.Name, c.version))
		return
	}
	for _, o := range r.other {
		if o.rt == nil || o.rt.unknown {
			continue
		}
		if v := c.readReused(req, o.rt, o.rt); v.d != fresh.d && !v.unknown && !fresh.unknown {
			note(v, "the "+v.origin.Name+" of a request before")
			return
		}
	}
}

func zeroIsNever(d time.Duration) string {
	if d == 0 {
		return chain.Format(chain.Never)
	}
	return chain.Format(d)
}
