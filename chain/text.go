package chain

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Text is the fault in plain words: "auth accepts and stays silent".
func (f Fault) Text() string {
	callee, caller := f.Where(), "the caller"
	if f.From != nil {
		caller = f.From.Layer
	}
	switch f.Kind {
	case Saturated:
		return "no connection from " + caller + " to " + callee + " comes free"
	case Blackhole:
		return "nothing comes back from " + callee + ", not even to a SYN"
	case DeadAddress:
		return "the first of " + callee + "'s addresses does not answer a SYN, and the others do"
	case Refused:
		return callee + " refuses connections"
	case TunnelStall:
		return callee + " connects and never answers CONNECT"
	case TLSStall:
		return callee + " connects and never finishes the TLS handshake"
	case Silent:
		return callee + " accepts and stays silent"
	case HeaderDrip:
		return callee + " sends its header byte by byte, forever"
	case Stall:
		return callee + " sends its header, then nothing"
	case Trickle:
		return callee + " trickles its answer, forever"
	case ResetFault:
		return callee + " breaks the connection after the request"
	case Unavailable:
		return callee + " answers 503 at once"
	case IdleRace:
		return callee + " has just closed the idle connection that " + caller + " reuses"
	case Slow:
		return callee + " answers after " + f.tailText()
	}
	return string(f.Kind) + " at " + callee
}

// tailText names what the slow callee of a fault takes: its declared tail, or all that
// the limit for its work leaves it.
func (f Fault) tailText() string {
	if f.Call != nil && f.Call.To != nil {
		if l, ok := f.Call.To.Promise(); ok {
			return "all that its " + l.Origin.Name + " leaves it"
		}
	}
	return "its declared tail"
}

// Where is what goes wrong, in words: the callee, or the proxy of a tunnel to it where
// the connection itself does, since that is what the caller connects to.
func (f Fault) Where() string {
	switch {
	case f.Call == nil || f.Call.To == nil:
		return "the callee"
	case f.AtProxy():
		return "the proxy on the way to " + f.Call.To.Layer
	}
	return f.Call.To.Layer
}

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

// Text says what the outermost layer has: "504 from proxy at 90s".
func (o Outcome) Text() string {
	if o.At == Never && o.Error == NotKnown {
		return "not known: " + o.WhyNotKnown()
	}
	return o.text() + o.UnlessText()
}

// UnlessText names what may have ended the wait before, after the outcome in words;
// "" where all that could is known.
func (o Outcome) UnlessText() string {
	if o.Unless == "" {
		return ""
	}
	return ", unless " + o.Unless + ", which is injected at run time, ends it before"
}

// WhyNotKnown is why nobody can say whether the wait ends, of an outcome with the
// error NotKnown.
func (o Outcome) WhyNotKnown() string {
	if o.Unless == "" {
		return "neither the stack nor the vendor says what ends the wait"
	}
	return o.Unless + " is " + WhyInjected
}

func (o Outcome) text() string {
	if o.At == Never {
		return "never ends"
	}
	return o.What() + " at " + Shown(o.At)
}

// What says what the outermost layer has of a wait that ends, without the time: "504
// from proxy".
func (o Outcome) What() string {
	who := ""
	if o.From != nil {
		who = o.From.Layer
	}
	switch {
	case o.Error == "gives up" && o.Status != 0:
		return fmt.Sprintf("%d, %s: %s gives up", o.Status, CutText(o.Status), who)
	case o.Error == "gives up":
		return who + " gives up"
	case o.Status != 0 && o.Cut:
		return fmt.Sprintf("%d from %s, %s", o.Status, who, CutText(o.Status))
	case o.Status != 0:
		return fmt.Sprintf("%d from %s", o.Status, who)
	case o.Error == "its own error":
		return who + "'s own error"
	case o.Error != "" && who != "":
		return o.Error + " by " + who
	case o.Error != "":
		return o.Error
	}
	return "no answer"
}
