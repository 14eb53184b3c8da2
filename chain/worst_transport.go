package chain

import (
	"cmp"
	"slices"
)

// transport is how late each moment of one attempt can come.
type transport struct {
	at   [AtBodyEnd + 1]Sum
	full Sum // until the caller can answer
}

// transportWorst is the later of what an attempt can take on a connection of its
// own and on a pooled one, moment by moment.
func transportWorst(r *Route, n *Node, c *Call, limits []Limit) transport {
	t := exchangeWorst(r, n, c, limits)
	if len(c.Reused) > 0 {
		open := *c // a pooled connection is resolved, connected and secured
		open.TLS, open.Via, open.Skips = false, "", append(slices.Clone(c.Skips), AtResolved, AtConnect)
		for _, left := range c.Reused {
			x := exchangeWorst(r, n, &open, inPlaceOf(limits, left))
			for m := range t.at {
				t.at[m] = later(t.at[m], x.at[m])
			}
		}
	}
	if c.Redirects > 0 { // each is an exchange of its own, with timers of its own
		before := times(c.Redirects, t.at[AtHeaderEnd])
		for m := AtLease; m <= AtBodyEnd; m++ {
			t.at[m] = plus(before, t.at[m])
		}
	}
	t.full = t.at[AtBodyEnd]
	if n.Role == RolePassing || n.Role == RoleUnknown {
		t.full = t.at[AtHeaderEnd]
	}
	for i := range limits {
		l := &limits[i]
		// What is not checked before it starts it does not end.
		if from := t.at[l.Start]; l.Kind == AttemptDeadline && l.Ends() && l.Bound != Never && len(from.NotChecked) < len(t.full.NotChecked) {
			t.full = plus(from, capNotChecked(Sum{NotChecked: t.full.NotChecked}, *l))
		}
	}
	return t
}

// exchangeWorst walks the moments of one exchange: each comes at the latest
// when the earliest limit over it fires.
func exchangeWorst(r *Route, n *Node, c *Call, limits []Limit) transport {
	var t transport
	for m := AtLease; m <= AtBodyEnd; m++ {
		t.at[m] = t.latest(r, c, limits, m)
		if up := r.uploads(n); m == AtRequestSent && up > 0 {
			t.at[m] = plus(t.at[m], r.uploadTerm(up))
		}
	}
	return t
}

// inPlaceOf are limits with others in the place of those of the same kinds.
func inPlaceOf(limits, others []Limit) []Limit {
	out := slices.Clone(others)
	for _, l := range limits {
		if !slices.ContainsFunc(others, func(x Limit) bool { return x.Kind == l.Kind }) {
			out = append(out, l)
		}
	}
	return out
}

// later is the longer of two sums, with all that either leaves out.
func later(a, b Sum) Sum {
	if b.Total > a.Total {
		a, b = b, a
	}
	for _, x := range b.NotChecked {
		if !slices.Contains(a.NotChecked, x) {
			a.NotChecked = append(slices.Clone(a.NotChecked), x)
		}
	}
	a.Unknown = cmp.Or(a.Unknown, b.Unknown)
	return a
}

func (t *transport) latest(r *Route, c *Call, limits []Limit, m Moment) Sum {
	before := t.at[m-1]
	if !takesTime(r, c, m) {
		return before
	}
	if m == AtTunnelled && !c.KnowsTunnel() {
		before.NotChecked = append(slices.Clone(before.NotChecked), "how long "+c.Product+" waits for a proxy's answer to CONNECT is not known")
		return before
	}
	best, bounded, known, unknown := Sum{Total: Never}, false, false, (*Limit)(nil)
	for i := range limits {
		l := &limits[i]
		if l.aroundAll() || !l.Covers(m) {
			continue
		}
		known = true
		if l.Unknown() {
			unknown = l
		}
		if l.Bound == Never || !l.Ends() {
			continue
		}
		bounded = true
		if s := t.firing(c, l, m); s.Total < best.Total {
			best = s
		}
	}
	switch {
	case bounded:
		return best
	case unknown != nil:
		before.NotChecked = append(slices.Clone(before.NotChecked), unknown.Origin.Name+" is "+unknown.Why)
		before.Unknown = cmp.Or(before.Unknown, unknown.Origin.Name)
		return before
	case m > AtFirstByte && c.Undocumented(m) && before.Total != Never:
	case m >= AtFirstByte:
		return Sum{Total: Never, NotChecked: before.NotChecked}
	case known && !slices.ContainsFunc(c.Unbounded, func(u Unbounded) bool { return u.Phase == m }):
		return Sum{Total: Never}
	}
	before.NotChecked = append(slices.Clone(before.NotChecked), unboundedReason(c, m))
	return before
}

// firing is when limit l ends an attempt that hangs on its way to m. A gap
// counts in full before the first progress and not at all after it.
func (t *transport) firing(c *Call, l *Limit, m Moment) Sum {
	if l.Reset == ResetRead && l.Start >= AtFirstByte {
		return t.at[m-1]
	}
	s := plus(t.at[l.Start], limitTerm(c, l, m))
	if m == AtSecured && l.Start < AtTunnelled { // what is not known of the tunnel stays so
		s.NotChecked = later(s, Sum{NotChecked: t.at[AtTunnelled].NotChecked}).NotChecked
	}
	return s
}

func limitTerm(c *Call, l *Limit, m Moment) Sum {
	term := Term{D: l.Bound, Label: l.label(), Origin: l.Origin}
	total := l.Bound
	k := dialled(c, l, m)
	if m == AtSecured && l.Reset == ResetRead {
		k *= flights
	}
	if k > 1 {
		term.N, total = k, Times(k, l.Bound)
	}
	if total == 0 {
		return Sum{}
	}
	return Sum{Total: total, Terms: []Term{term}}
}

// flights is how often the other side of a handshake can be waited for: in TLS 1.2
// a server answers twice, and a limit for each read starts anew.
const flights = 2

// dialled is how many addresses a stalled connect, tunnel or handshake uses up in one attempt.
func dialled(c *Call, l *Limit, m Moment) int {
	if l.Per != PerAddress || c.OneByOne || m < AtConnect || m > AtSecured {
		return 1
	}
	return max(c.Addresses, 1)
}

// takesTime reports whether the way to m exists for this call at all.
func takesTime(r *Route, c *Call, m Moment) bool {
	switch m {
	case AtLease:
		return c.Pool != nil && c.Pool.InForce().N > 0
	case AtTunnelled:
		return c.Via != ""
	case AtSecured:
		return c.TLS
	case AtRequestSent:
		return waitsToWrite(r, c)
	}
	return !slices.Contains(c.Skips, m)
}

// waitsToWrite reports whether a callee that reads nothing can hold up the request: only
// a declared upload is more than the buffers on the way take at once.
func waitsToWrite(r *Route, c *Call) bool {
	if r.Upload == nil {
		return false
	}
	return c.Method == "" || c.Method == r.Method || (&Route{Method: c.Method}).HasBody()
}

func unboundedReason(c *Call, m Moment) string {
	for _, u := range c.Unbounded {
		if u.Phase == m && u.Reason != "" {
			return u.Reason
		}
	}
	return "no setting of " + c.Product + " bounds " + phaseNames[m]
}

var phaseNames = [...]string{
	AtCall: "the call", AtLease: "the wait for a connection", AtResolved: "name resolution", AtConnect: "connecting",
	AtTunnelled: "a proxy's answer to CONNECT", AtSecured: "the TLS handshake", AtRequestSent: "writing the request", AtFirstByte: "the first byte",
	AtHeaderEnd: "the response header", AtBodyEnd: "the response body",
}

// retriable is the longest that an attempt can take and still be repeated; ok
// is false if none is, and waits says whether a repeat may have to wait.
func (t *transport) retriable(retry *Retry, n *Node, method string) (out Sum, ok, waits bool) {
	if retry == nil {
		return out, false, false
	}
	by := []Cond{CondCut, CondTimeout}
	if retry.CutApart {
		by = by[:1]
	}
	if retry.AllowsCut(n, method, by...) {
		out, ok, waits = t.at[AtBodyEnd], true, retry.Waits(CondCut)
	}
	for _, cond := range retry.On {
		if m, sent := failsAt(cond); retry.Allows(cond, method, sent) {
			ok, waits = true, waits || retry.Waits(cond)
			if t.at[m].Total > out.Total {
				out = t.at[m]
			}
		}
	}
	return out, ok, waits
}

// failsAt is the moment on the way to which a condition arises at the latest,
// and whether writing the request had begun by then.
func failsAt(c Cond) (m Moment, sent bool) {
	switch c {
	case CondPoolTimeout:
		return AtLease, false
	case CondDNSTimeout:
		return AtResolved, false
	case CondConnectTimeout:
		return AtTunnelled, false
	case CondUnanswered, CondRefused:
		return AtConnect, false
	case CondTLSTimeout:
		return AtSecured, false
	case CondWriteTimeout:
		return AtRequestSent, true
	}
	return AtHeaderEnd, true
}
