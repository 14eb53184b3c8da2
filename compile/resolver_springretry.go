package compile

import "tchain.dev/tchain/chain"

// adjustSpringRetry has the longest wait that jitter can draw, which grows with the wait.
func adjustSpringRetry(e *effective) {
	delay, jitter := e.find("delay"), e.find("jitter")
	if delay == nil || jitter == nil || delay.state != known || jitter.state != known || jitter.d <= 0 {
		return
	}
	delay.d = chain.Add(delay.d, jitter.d)
	delay.origin.Note = "by jitter up to " + chain.Format(delay.d)
}
