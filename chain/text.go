package chain

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Text says in plain words what the event's layer did, without its name:
// "answers 504". Every format uses these words.
func (e Event) Text() string {
	peer := "its callee"
	if e.Peer != nil {
		peer = e.Peer.Layer
	}
	switch e.Kind {
	case EvRedials:
		return "has no answer from " + peer + "'s first address, dials the next" + limitText(e.Limit)
	case EvSent:
		return "connected to " + peer + ", request sent"
	case EvTimeout:
		return "gives up on " + peer + limitText(e.Limit) + unknownText(e)
	case EvFailed:
		return failedText(e, peer) + unknownText(e)
	case EvInstead:
		return insteadText(e, peer)
	case EvRetries:
		return retriesText(e)
	case EvNotStarted:
		if e.Cond == CondDeadline {
			return "has no time left to call " + peer + limitText(e.Limit)
		}
		return "has no time left for another attempt" + limitText(e.Limit)
	case EvExhausted:
		return exhaustedText(e)
	case EvAnswers:
		if e.Status == 0 {
			return "answers with its own error" + ofText(e.Cond) + servedText(e.Limit)
		}
		return "answers " + strconv.Itoa(e.Status) + servedText(e.Limit)
	case EvPasses:
		if e.Status == 0 {
			return "passes it on"
		}
		return "passes " + strconv.Itoa(e.Status) + " on"
	case EvCuts:
		if upgraded(e.Status) {
			return "closes the upgraded connection" + servedText(e.Limit)
		}
		return "cuts the response" + servedText(e.Limit)
	case EvCloses:
		return "closes the connection without an answer" + servedText(e.Limit)
	case EvSees:
		return seesText(e)
	case EvLeaves:
		return "stops, since its caller left"
	case EvUndelivered:
		return undeliveredText(e)
	case EvEjects:
		if e.For > 0 {
			return "leaves out " + peer + "'s addresses for " + Shown(e.For)
		}
		return "leaves out " + peer + "'s addresses"
	}
	return string(e.Kind)
}

// ofText names the failure that an error of a layer's own is of, in the word of retry
// policies: " (503)", " (timeout)".
func ofText(c Cond) string {
	if c == "" {
		return ""
	}
	return " (" + string(c) + ")"
}

// upgraded reports whether a status is that of a connection which speaks another
// protocol from then on, as a WebSocket.
func upgraded(status int) bool { return status == http.StatusSwitchingProtocols }

// CutText is what follows the status of a response that is cut: "cut short", or of an
// upgraded connection, which has no end of its own to fall short of, "then closed".
func CutText(status int) string {
	if upgraded(status) {
		return "then closed"
	}
	return "cut short"
}

// unknownText says that nobody knows what became of a request.
func unknownText(e Event) string {
	if !e.Unknown {
		return ""
	}
	return "; whether it was done is unknown"
}

// insteadText names the callee that another one stands in for.
func insteadText(e Event, peer string) string {
	if e.Node != nil {
		for _, c := range e.Node.Calls() {
			if c.To == e.Peer && c.Instead != nil {
				return "turns to " + peer + " instead of " + c.Instead.To.Layer
			}
		}
	}
	return "turns to " + peer
}

// limitText is " (proxy_read_timeout 90s)", or nothing without a limit.
func limitText(l *Limit) string {
	if l == nil {
		return ""
	}
	name := l.Origin.Name
	if name == "" {
		name = string(l.Kind)
	}
	if l.Count {
		return " (" + name + " " + l.Origin.Text + ")"
	}
	if l.Bound == 0 && strings.HasPrefix(l.Origin.Text, "-") {
		return " (" + name + " " + l.Origin.Text + ")" // as it is written, since it is no 0
	}
	return " (" + name + " " + Shown(l.Bound) + ")"
}

// servedText is limitText for a limit of the answering side. One of the calling
// side has been told already, by the event in which the layer gave up.
func servedText(l *Limit) string {
	if l == nil || l.Side != Answering {
		return ""
	}
	return limitText(l)
}

func failedText(e Event, peer string) string {
	switch e.Cond {
	case CondRefused:
		return "is refused by " + peer
	case CondReset:
		return "loses its connection to " + peer
	case CondStale:
		return "finds its reused connection to " + peer + " closed"
	case CondKilled:
		return "is closed on by " + peer + " without an answer"
	case CondCut:
		return "gets only the beginning of " + peer + "'s answer"
	}
	status := e.Status
	if n, err := strconv.Atoi(string(e.Cond)); err == nil {
		status = n
	}
	if status != 0 {
		return fmt.Sprintf("gets %d from %s", status, peer)
	}
	return "gets an error from " + peer
}

// retriesText counts the attempt against the most that the policy makes, which is
// named where the call has another one around or inside of it.
func retriesText(e Event) string {
	text := "sends it again"
	if e.Node == nil || e.Count == 0 {
		return text
	}
	for _, c := range e.Node.Calls() {
		if c.To != e.Peer {
			continue
		}
		if c.OneByOne && c.Addresses > 1 {
			text += " to another address"
		}
		if most := MaxAttempts(e.Retry, c); most >= e.Count && most < Endless {
			return fmt.Sprintf("%s (%d of %d%s)", text, e.Count, most, c.policyText(e.Retry))
		}
	}
	return fmt.Sprintf("%s (attempt %d)", text, e.Count)
}

// exhaustedText says that no attempt is left after the one that failed, and what the
// program gets of that.
func exhaustedText(e Event) string {
	text := "has used up its attempts"
	if e.Node != nil {
		for _, c := range e.Node.Calls() {
			if c.To == e.Peer {
				text = fmt.Sprintf("%s (%d of %d%s)", text, e.Count, e.Count, c.policyText(e.Retry))
				break
			}
		}
	}
	if given := e.Retry.Gives(e.Cond); given != "" {
		text += ": " + given
	}
	return text
}

// CountText is a number of attempts, or that they have no end.
func CountText(n int) string {
	if n == Endless {
		return "endless"
	}
	return strconv.Itoa(n)
}

// policyText is " by NAME" where several layers of the client repeat:
// the transport is called by its product.
func (c *Call) policyText(r *Retry) string {
	name, policies := "", 0
	for _, l := range c.Layers {
		if MaxAttempts(l.Retry, c) <= 1 {
			continue
		}
		policies++
		if l.Retry == r {
			name, _, _ = strings.Cut(cmp.Or(l.Name, c.Product), " ")
		}
	}
	if policies < 2 || name == "" {
		return ""
	}
	return " by " + name
}

func seesText(e Event) string {
	other := e.Peer != nil && e.Peer != e.Node
	switch {
	case e.At == Never && e.Unknown:
		return "waits for an answer, and what ends that is not known"
	case e.At == Never && upgraded(e.Status):
		return "waits on its upgraded connection, which nothing ends"
	case e.At == Never && e.Status != 0:
		return fmt.Sprintf("waits for the rest of a %d, which never comes", e.Status)
	case e.At == Never:
		return "waits for an answer, which never comes"
	case e.Status != 0 && e.Cond == CondCut:
		return fmt.Sprintf("sees %d, %s", e.Status, CutText(e.Status))
	case e.Status != 0 && other:
		return fmt.Sprintf("sees %d from %s", e.Status, e.Peer.Layer)
	case e.Status != 0:
		return fmt.Sprintf("sees %d", e.Status)
	case e.Cond == "" && other:
		return "sees " + e.Peer.Layer + "'s own error"
	}
	return "sees no answer"
}

func undeliveredText(e Event) string {
	switch {
	case e.Status == 0 || e.Status >= 500:
		return "its own error is never delivered"
	case e.Status >= 400:
		return "its " + strconv.Itoa(e.Status) + " is never delivered"
	}
	return "its answer is never delivered"
}
