package chain

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
