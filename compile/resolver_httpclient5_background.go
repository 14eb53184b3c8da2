package compile

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// background are the times that no request waits for by itself: the wait before
// a repeat, which a server can stretch, and how often idle connections are
// looked for.
func (r *hc5Reader) background(c *hc5Config) []chain.Derivation {
	var out []chain.Derivation
	if wait := r.find("client.retryStrategy.defaultRetryInterval"); r.out.Retry != nil && wait != nil {
		out = append(out, r.waitAfterStatus(c, wait))
	}
	return append(out, r.evictor(c)...)
}

// waitAfterStatus is the wait before a repeat after a status, or why there is none.
func (r *hc5Reader) waitAfterStatus(c *hc5Config, wait *setting) chain.Derivation {
	d := chain.Derivation{Timer: "wait before a repeat after 429 or 503", Settled: chain.Settled{Value: wait.d, Winner: wait.origin}}
	rt := c.request().rt
	limited := rt != nil && !rt.unknown && rt.d > 0
	switch {
	case r.out.Retry.AnyMethod == nil:
		d.Value, d.Off = chain.Never, true
		d.Why = fmt.Sprintf("no repeat: the wait of %s is longer than the response timeout, %s > %s", chain.Format(wait.d), chain.Format(wait.d), chain.Format(rt.d))
	case limited && c.has("5.1") && !c.has("5.5.1"):
		d.Why = "a Retry-After header beats it, up to the response timeout, " + chain.Format(rt.d) + ": after a longer one there is no repeat"
	default:
		d.Why = "a Retry-After header beats it, without bound: a server's Retry-After: 3600 holds the thread for an hour"
	}
	return d
}

// evictor is how often the thread that closes idle connections looks for them;
// there is none unless it was asked for, or with a shared manager.
func (r *hc5Reader) evictor(c *hc5Config) []chain.Derivation {
	idle, expired := r.find("client.evictIdleConnections"), r.find("client.evictExpiredConnections")
	asked := expired != nil && expired.on()
	if !idle.written() && !asked {
		return nil
	}
	d := chain.Derivation{Timer: "close idle connections in the background, every"}
	shared := r.find("client.connectionManagerShared")
	switch {
	case shared != nil && shared.on():
		d.Value, d.Winner, d.Off, d.Why = chain.Never, shared.origin, true, "a shared manager has no evictor"
		for _, s := range []*setting{idle, expired} {
			if s.written() && s.on() {
				r.notice(chain.NoticeIgnored, s.origin, entrance(s.origin)+" "+s.text+" has no effect: "+d.Why)
			}
		}
	case idle.written() && c.has("5.6"):
		d.Value, d.Winner = c.evictsEvery(idle.d), idle.origin
		d.Why = "since 5.6 a tenth of the idle time, at least 1s"
	case idle.written():
		d.Value, d.Winner = c.evictsEvery(idle.d), idle.origin
		d.Why = fmt.Sprintf("before 5.6 the idle time itself, so that an idle connection can live for %s", chain.Format(chain.Times(2, idle.d)))
	case c.has("5.6.1"):
		d.Value, d.Winner, d.Why = time.Minute, expired.origin, "since 5.6.1 every 60s where only expired connections are closed"
	case c.has("5.6"):
		d.Value, d.Winner, d.Off, d.Why = chain.Never, expired.origin, true, "in 5.6 evictExpiredConnections alone fails when the client is built"
		r.notice(chain.NoticeRejected, expired.origin, entrance(expired.origin)+": alone it fails when the client is built, with a NullPointerException in 5.6; 5.6.1 takes it")
	default:
		d.Value, d.Winner, d.Why = 5*time.Second, expired.origin, "before 5.6 every 5s where only expired connections are closed"
	}
	return []chain.Derivation{d}
}

// evictsEvery is how often idle connections are looked for that are to be closed
// after a time.
func (c *hc5Config) evictsEvery(idle time.Duration) time.Duration {
	if c.has("5.6") {
		return max(time.Second, idle/10)
	}
	return idle
}

// evicted is how long a connection can be idle at most until the background thread
// has closed it; nil if there is no such thread, or it looks at other things only.
func (r *hc5Reader) evicted(c *hc5Config) *chain.Limit {
	idle, shared := r.find("client.evictIdleConnections"), r.find("client.connectionManagerShared")
	if !idle.written() || !idle.finite() || idle.d <= 0 || shared != nil && shared.on() {
		return nil
	}
	every := c.evictsEvery(idle.d)
	v := &hc5Value{d: chain.Add(idle.d, every), origin: idle.origin}
	v.origin.Note = fmt.Sprintf("%s and up to %s more, as often as it looks", idle.text, chain.Format(every))
	return v.limit(chain.IdleKeepalive)
}
