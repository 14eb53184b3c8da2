package chain

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Worst is the longest that a node can take from the arrival of a request, its
// body included, to the end of its answer, when every phase takes all that its limit allows and
// every attempt is used. Total is Never if nothing ends it; NotChecked names
// phases that no setting of a product could end and that no total around them
// does, which then count as nothing.
func Worst(r *Route, n *Node) Sum {
	if n.Role == RoleLeaf {
		return Sum{Total: Never}
	}
	if n.PassesFlows() { // it has no end of its own
		return Worst(r, n.Calls()[0].To)
	}
	up := r.UploadTo(n)
	if up > 0 {
		n = n.after(up)
	}
	total := worstSteps(r, n, 0, workTerm(n), nil)
	if reserve := n.Deadline.Reserve; n.Role == RoleBuffering && reserve.D > 0 && !givenFirst(&n.Deadline) {
		total = plus(total, Sum{Total: reserve.D, Terms: []Term{{D: reserve.D, Label: "reserve", Origin: reserve.Origin, Reserve: true}}})
	}
	if l, ok := n.Promise(); ok {
		total = plus(total, Sum{Total: l.Bound, Terms: []Term{{D: l.Bound, Label: l.Origin.Name, Origin: l.Origin}}})
	}
	for _, l := range n.Serve {
		if n.Role == RoleBuffering && (l.Kind == HandlerDeadline || l.Kind == WorkerKill) && l.Ends() {
			if l.Start < AtRequestSent && l.Bound != Never {
				l.Bound = max(l.Bound-up, 0)
			}
			total = capped(total, l)
		}
	}
	if b := n.Work.Before; b.D > 0 {
		total = plus(Sum{Total: b.D, Terms: []Term{{D: b.D, Label: "cold start", Origin: b.Origin}}}, total)
	}
	return total
}

// WorstAnswer is how late the answer of a call's callee can be complete after a
// limit of its caller n has begun: a limit that runs from the call on also
// waits for the person's upload.
func WorstAnswer(r *Route, n *Node, c *Call, l Limit) Sum {
	sum := Worst(r, c.To)
	if r.UploadFrom(n) > 0 && l.Start < AtRequestSent && !l.Complete {
		sum = r.AfterUpload(sum)
	}
	return sum
}

// AfterUpload is what begins only once the person's upload is there.
func (r *Route) AfterUpload(s Sum) Sum { return plus(r.uploadTerm(r.Upload.Takes()), s) }

// after is a node of whose deadline some was spent before it has the request, and of
// what limits its calls as a whole if it has begun them by then.
func (n *Node) after(spent time.Duration) *Node {
	less := *n
	for _, v := range []*Value{&less.Deadline.Total, &less.Deadline.Given} {
		if v.Declared() && v.D != Never {
			v.D = max(v.D-spent, 0)
		}
	}
	if n.sendsOn() {
		less.Steps = nil
		for _, s := range n.Steps {
			less.Steps = append(less.Steps, Step{})
			step := &less.Steps[len(less.Steps)-1]
			for _, c := range s.Calls {
				step.Calls = append(step.Calls, c.after(spent))
			}
		}
	}
	return &less
}

// after is a call that began some time ago.
func (c *Call) after(spent time.Duration) *Call {
	less := *c
	less.Layers = slices.Clone(c.Layers)
	for i := range less.Layers {
		limits := slices.Clone(less.Layers[i].Limits)
		for j := range limits {
			if l := &limits[j]; (l.aroundAll() || l.Kind == AttemptDeadline) && l.Start == AtCall && !l.Complete && l.Bound != Never {
				l.Bound = max(l.Bound-spent, 0)
			}
		}
		less.Layers[i].Limits = limits
	}
	return &less
}

func (r *Route) uploadTerm(d time.Duration) Sum {
	return Sum{Total: d, Terms: []Term{{D: d, Label: "upload", Origin: r.Upload.Origin}}}
}

// givenFirst reports whether a caller's budget is the one that counts. An app
// keeps its reserve back from it, and so answers before its caller gives up.
func givenFirst(d *Deadline) bool { return d.Given.Declared() && d.InForce() == d.Given }

func workTerm(n *Node) Sum {
	var sum Sum
	if n.Role == RoleLeaf {
		return sum
	}
	for _, w := range []struct {
		v     Value
		label string
	}{{n.Work.ColdStart, "cold start"}, {n.Work.Max, "work.max"}} {
		if w.v.Declared() && w.v.D > 0 {
			sum = plus(sum, Sum{Total: w.v.D, Terms: []Term{{D: w.v.D, Label: w.label, Origin: w.v.Origin}}})
		}
	}
	return sum
}

// worstStep is the longest of the calls that run at the same time.
func worstStep(r *Route, n *Node, step Step, spent time.Duration) Sum {
	var worst Sum
	for _, c := range step.Calls {
		if c.Detached {
			continue
		}
		one := WorstCall(r, n, c, spent)
		for i := 1; i < c.Times; i++ {
			one = plus(one, WorstCall(r, n, c, Add(spent, one.Total)))
		}
		worst = later(worst, one)
	}
	return worst
}

// WorstCall is the longest that one call of n can take, after n has already
// spent some of its deadline.
func WorstCall(r *Route, n *Node, c *Call, spent time.Duration) Sum {
	sum := worstLayer(r, n, c, 0)
	if limit, ok := n.Deadline.Limit(spent); ok {
		sum = capped(sum, limit)
	}
	return sum
}

// worstLayer is the worst of a client's layer i and all below it.
func worstLayer(r *Route, n *Node, c *Call, i int) Sum {
	if i >= len(c.Layers) {
		return transportWorst(r, n, c, nil).full
	}
	layer := c.Layers[i]
	full, again, may, waits := worstAttempt(r, n, c, i, layer.Retry)
	sum := full
	if attempts := MaxAttempts(layer.Retry, c); may && attempts > 1 {
		sum = repeated(layer.Retry, attempts, full, again, waits)
	}
	for _, l := range layer.Limits {
		if l.aroundAll() && l.Ends() {
			sum = capped(sum, r.afterUpload(n, l))
		}
	}
	return sum
}

// afterUpload is a limit of a call of n, as it counts from the call on.
func (r *Route) afterUpload(n *Node, l Limit) Limit {
	if l.Complete {
		l.Bound = Add(l.Bound, r.uploads(n))
	}
	return l
}

// worstAttempt is the longest that one attempt of a client's layer i can take, and
// the longest of one that retry repeats; may is false if it repeats none, and waits
// says whether a repeat may have to wait.
func worstAttempt(r *Route, n *Node, c *Call, i int, retry *Retry) (full, again Sum, may, waits bool) {
	if i == len(c.Layers)-1 {
		w := transportWorst(r, n, c, c.Layers[i].Limits)
		again, may, waits = w.retriable(retry, n, methodOf(r, c))
		return w.full, again, may, waits
	}
	full = worstLayer(r, n, c, i+1)
	for _, l := range c.Layers[i].Limits {
		if l.Kind == AttemptDeadline && l.Ends() {
			full = capped(full, l)
		}
	}
	return full, full, true, true
}

// WorstRepeated is the longest that an attempt of layer i of a call's client can take and
// still be repeated by retry; ok is false if none is.
func WorstRepeated(r *Route, n *Node, c *Call, i int, retry *Retry) (sum Sum, ok bool) {
	_, sum, ok, _ = worstAttempt(r, n, c, i, retry)
	return sum, ok
}

// repeated is the time of all attempts: all but the last one fail in the last
// phase that may be repeated, by what is repeated after a wait if anything is.
func repeated(retry *Retry, attempts int, full, again Sum, waits bool) Sum {
	sum := full
	if again.Total == full.Total {
		sum = times(attempts, full)
	} else {
		sum = plus(times(attempts-1, again), full)
	}
	longest := Sum{} // of the back-offs
	if waits {
		var all Sum
		longest, all = backoffs(retry, attempts)
		if retry.waitsOnTimeouts() {
			sum = plus(sum, all)
		} else if refused := plus(all, full); refused.Total > sum.Total {
			sum = refused // all but the last attempt are refused at once
		}
	}
	if w := retry.Window; w.Declared() && w.D != Never {
		if retry.WindowWaits {
			longest = Sum{} // it is within the window
		}
		in := plus(plus(Sum{Total: w.D, Terms: []Term{{D: w.D, Label: w.Origin.Name, Origin: w.Origin}}}, longest), full)
		if in.Total < sum.Total {
			return in
		}
	}
	return sum
}

// Endless is the number of attempts of a policy that never gives up.
const Endless = math.MaxInt

// MaxAttempts is how many attempts the policy allows, the first included.
func MaxAttempts(retry *Retry, c *Call) int {
	if retry == nil || len(retry.On) == 0 {
		return 1
	}
	n := retry.Attempts.N
	if n == 0 || retry.CapAddresses && n > c.Addresses {
		n = c.Addresses
	}
	return max(n, 1)
}

func methodOf(r *Route, c *Call) string {
	if c.Method != "" {
		return c.Method
	}
	return r.Method
}

// capped is a sum that a limit around it ends, which also ends what nothing else does.
func capped(s Sum, l Limit) Sum {
	if l.Unknown() && s.Total == Never {
		return Sum{NotChecked: append(slices.Clone(s.NotChecked), l.Origin.Name+" is "+l.Why), Unknown: cmp.Or(s.Unknown, l.Origin.Name)}
	}
	if l.Bound == Never || l.Bound > s.Total || l.Bound == s.Total && len(s.NotChecked) == 0 {
		return capNotChecked(s, l)
	}
	return Sum{Total: l.Bound, Terms: []Term{{D: l.Bound, Label: l.Origin.Name, Origin: l.Origin}}}
}

// capNotChecked: phases that nothing bounds may take all the time that the
// limit around them allows, so the limit is then the worst case.
func capNotChecked(s Sum, l Limit) Sum {
	if l.Bound == Never || len(s.NotChecked) == 0 {
		return s
	}
	return Sum{Total: l.Bound, Terms: []Term{{D: l.Bound, Label: l.Origin.Name, Origin: l.Origin}}}
}

func plus(a, b Sum) Sum {
	return Sum{
		Total:      Add(a.Total, b.Total),
		Terms:      join(a.Terms, b.Terms),
		NotChecked: join(a.NotChecked, b.NotChecked),
		Unknown:    cmp.Or(a.Unknown, b.Unknown),
	}
}

// join is one list after the other. It may be one of them, which is not to be changed.
func join[T any](a, b []T) []T {
	switch {
	case len(b) == 0:
		return slices.Clip(a)
	case len(a) == 0:
		return slices.Clip(b)
	}
	return slices.Concat(a, b)
}

func times(n int, s Sum) Sum {
	out := Sum{Total: Times(n, s.Total), NotChecked: s.NotChecked, Unknown: s.Unknown}
	for _, t := range s.Terms {
		t.N = Product(max(t.N, 1), n)
		out.Terms = append(out.Terms, t)
	}
	return out
}

// Product is a × b, or the largest number where that does not fit. Neither is negative.
func Product(a, b int) int {
	if a > 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}
