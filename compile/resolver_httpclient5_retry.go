package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// idempotentMethods are the methods that the client repeats after an I/O error.
var idempotentMethods = []string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}

// repeatedErrors are the I/O errors that the client repeats, be the connection
// reused or new: no timeout, no refused connect, no failed handshake.
var repeatedErrors = []chain.Cond{chain.CondStale, chain.CondReset, chain.CondKilled}

// retry is what the client does unless it is told not to: after a status it
// waits and repeats any request, after an I/O error an idempotent one at once.
func (r *hc5Reader) retry(c *hc5Config, req hc5Request) *chain.Retry {
	if off := r.find("client.disableAutomaticRetries"); off != nil && off.on() {
		return nil
	}
	count, wait := r.find("client.retryStrategy.maxRetries"), r.find("client.retryStrategy.defaultRetryInterval")
	if count == nil || wait == nil || count.state != known || count.number() <= 0 {
		return nil
	}
	size := chain.Size{N: attemptsOf(count.number()), Origin: count.origin}
	size.Origin.Note = "the first attempt is counted, too"
	statuses := []chain.Cond{"429", "503"}
	if c.has("5.1") && req.rt != nil && !req.rt.unknown && req.rt.d > 0 && wait.d > req.rt.d {
		statuses = nil // the wait is longer than a response may take: the status is passed on
	}
	return &chain.Retry{
		Attempts: size, On: slices.Concat(statuses, repeatedErrors), OnMethods: idempotentMethods, AnyMethod: statuses,
		AtOnce: repeatedErrors, Interval: wait.value(), Hidden: !count.written() && !wait.written(), Origin: count.origin,
	}
}
