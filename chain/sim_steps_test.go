package chain

import "strconv"

// step starts the calls of a step, or answers after the last one.
func (v *simVisit) step(i int) {
	if i == len(v.n.Steps) {
		v.answer(v.w.well(v.n), v.n)
		return
	}
	v.open = 1 // this loop itself
	for _, c := range v.n.Steps[i].Calls {
		if c.Instead != nil && !v.replaced[c] {
			continue
		}
		if !c.Detached {
			v.open++
		}
		v.call(i, c, max(c.Times, 1))
		if !c.Detached && v.passing() {
			return
		}
	}
	v.callEnded(i)
}

func (v *simVisit) passing() bool { return v.n.Role == RolePassing || v.n.Role == RoleUnknown }

func (v *simVisit) callEnded(i int) {
	if v.open--; v.open == 0 && !v.ended {
		v.step(i + 1)
	}
}

// call starts one call, to be made a number of times.
func (v *simVisit) call(i int, c *Call, times int) {
	if c.Instead != nil && times == max(c.Times, 1) {
		v.w.note(EvInstead, v.n, 0)
	}
	k := &simCall{w: v.w, n: v.n, c: c, arrived: v.arrived, body: v.body, depth: v.depth, d: v.d, budget: v.budget}
	if !c.Detached {
		v.calls = append(v.calls, k)
	}
	k.done = func(res simResult) {
		if v.passing() && !c.Detached {
			v.passed(res)
			return
		}
		bad := res.failed || res.status == 0 || res.status >= 500 || res.cut
		if !bad && times > 1 {
			v.call(i, c, times-1)
			return
		}
		if c.Detached {
			return
		}
		taken := bad && v.replaces(c, res)
		if bad && !c.Fallback && !taken && v.open < 0 && v.failedAt == v.w.now {
			v.w.raced = true
		}
		if v.ended {
			return
		}
		if bad && !c.Fallback && !taken {
			v.failed(res)
			return
		}
		v.callEnded(i)
	}
	if v.passing() && !c.Detached {
		k.onHeader = func(status int, by *Node) {
			if held := c.HoldsBack && status != 101; !v.ended && !held {
				v.passes(status)
				v.head(status, by)
			}
		}
		k.onByte = func() {
			if v.wrote && !v.ended && !v.conn.gone() {
				v.conn.flow()
			}
		}
	}
	if cond := v.w.presumed(v.n, c); cond != "" {
		k.over = true
		v.w.soon(func() {
			v.w.note(EvFailed, v.n, 0)
			k.done(simResult{failed: true, cond: cond, by: c.To})
		})
		return
	}
	k.start()
}

// replaces notes the calls that are made instead of one that failed; false if
// there are none.
func (v *simVisit) replaces(c *Call, res simResult) bool {
	conds := []Cond{res.cond}
	if !res.failed {
		conds = []Cond{Cond(strconv.Itoa(res.status))}
		if res.cut && res.status < 400 {
			conds = []Cond{CondCut}
		}
	}
	if res.failed && res.cond == CondCut && res.limit != nil {
		conds = append(conds, CondTimeout)
	}
	found := false
	for _, other := range v.n.Calls() {
		if other.Instead != c {
			continue
		}
		for _, cond := range conds {
			if other.InsteadOn == nil || has(other.InsteadOn, cond) {
				v.replaced[other], found = true, true
			}
		}
	}
	return found
}

func has(of []Cond, cond Cond) bool {
	for _, c := range of {
		if c == cond {
			return true
		}
	}
	return false
}

// presumed is how a call fails because the fault is at what is made instead of
// it, or further on there.
func (w *simWorld) presumed(n *Node, c *Call) Cond {
	reached := map[*Call]bool{}
	var mark func(to *Node) bool
	mark = func(to *Node) bool {
		any := false
		for _, x := range to.Calls() {
			any = mark(x.To) || x == w.fault.Call || any
		}
		return any
	}
	for range n.Calls() { // as often as a chain of them may be long
		for _, x := range n.Calls() {
			if x == w.fault.Call || mark(x.To) || reached[x] {
				reached[x] = true
				if x.Instead != nil {
					reached[x.Instead] = true
				}
			}
		}
	}
	for _, x := range n.Calls() {
		if x.Instead == c && reached[x] {
			if x.InsteadOn == nil || has(x.InsteadOn, CondRefused) {
				return CondRefused
			}
			return x.InsteadOn[0]
		}
	}
	return ""
}

// passes notes an error that is passed on.
func (v *simVisit) passes(status int) {
	if status == 0 || status >= 400 {
		v.tell(EvPasses, status)
	}
}

// passed is the end of a passing layer's call.
func (v *simVisit) passed(res simResult) {
	if v.ended {
		return
	}
	if held := !v.wrote && res.header && (res.failed || res.status < 400); held {
		if v.passes(res.status); !v.head(res.status, res.wrote) {
			return
		}
	}
	switch {
	case v.wrote && res.failed:
		v.tell(EvCuts, res.status)
	case v.wrote:
	case res.failed:
		v.own(res)
		return
	default:
		v.passes(res.status)
		v.answer(res.status, res.by)
		return
	}
	v.finish()
	if !v.conn.gone() {
		v.conn.end(v.status, v.by, res.failed || res.cut)
	}
}

// failed is an app whose call failed: it answers at once, or out of its reserve.
func (v *simVisit) failed(res simResult) {
	if v.open < 0 {
		return
	}
	v.open, v.failedAt = -1<<20, v.w.now
	if !res.failed && res.cut {
		res.cond = CondCut
	} else if !res.failed {
		res.cond = Cond(strconv.Itoa(res.status))
	}
	if !res.spent || v.d.Reserve.D == 0 || v.short {
		v.own(res)
		return
	}
	v.w.in(v.d.Reserve.D, classStep, 0, func() {
		if !v.ended {
			v.own(res)
		}
	})
}

// own is what a layer says itself after a failure.
func (v *simVisit) own(res simResult) {
	status := 0
	if res.limit != nil {
		switch res.limit.Fires {
		case FiresClose, FiresKill:
			v.close()
			return
		}
		status, _ = strconv.Atoi(string(res.limit.Fires))
	}
	for _, a := range v.n.Answers {
		if status == 0 && a.Cond == res.cond {
			status = a.Status
		}
	}
	v.tell(EvAnswers, status)
	v.answer(status, v.n)
}
