package chain

import "strconv"

// step starts the calls of a step, or answers after the last one.
func (v *simVisit) step(i int) {
	if i == len(v.n.Steps) {
		v.answer(200, v.n)
		return
	}
	v.open = 1 // this loop itself
	for _, c := range v.n.Steps[i].Calls {
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
	k := &simCall{w: v.w, n: v.n, c: c, arrived: v.arrived, depth: v.depth, d: v.d, budget: v.budget}
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
		if bad && !c.Fallback && v.open < 0 && v.failedAt == v.w.now {
			v.w.raced = true
		}
		if v.ended {
			return
		}
		if bad && !c.Fallback {
			v.failed(res)
			return
		}
		v.callEnded(i)
	}
	if v.passing() && !c.Detached && !c.HoldsBack {
		k.onHeader = func(status int, by *Node) {
			if !v.ended {
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
	k.start()
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
