package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/conformance/fault"
)

// routesOf has tchain resolve the stacks of all scenarios, in their order.
func blockRoutes(dir string, all []BlockScenario) ([]*chain.Route, error) {
	at := map[string]int{}
	for i, s := range all {
		sub := filepath.Join(dir, fmt.Sprintf("s%03d", i))
		if err := os.Mkdir(sub, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(sub, "stack.cue"), []byte(blockStack(s)), 0o666); err != nil {
			return nil, err
		}
		at[filepath.Base(sub)] = i
	}
	out := make([]*chain.Route, len(all))
	var err error
	compile.Each([]string{dir + "/..."}, compile.Options{}, func(u *compile.Unit) {
		s := all[at[filepath.Base(u.Dir)]]
		switch {
		case len(u.Errors) > 0 && err == nil:
			err = fmt.Errorf("%s: %s: %s", s.Name, u.Errors[0].Message, blockStack(s))
		case len(u.Errors) == 0:
			out[at[filepath.Base(u.Dir)]] = u.Stack.Routes[0]
		}
	})
	for i, r := range out {
		if r == nil && err == nil {
			err = fmt.Errorf("%s: no route: %s", all[i].Name, blockStack(all[i]))
		}
	}
	return out, err
}

// foretold is what tchain says about a scenario; ok is false where the model
// knows no such fault.
func foretold(s BlockScenario, r *chain.Route) (p Prediction, fails string, ok bool) {
	switch {
	case s.Idle:
		return idleOfClient(s, r)
	case s.Caller != "":
		return slowCaller(s, r)
	case s.BodyBytes > 1<<20 && s.Upstreams[0] == calleeTakesNothing:
		return unreadBody(s, r)
	}
	nodes := r.Nodes()
	from := nodes[len(nodes)-2]
	f := chain.Fault{Call: from.Calls()[0], From: from}
	switch {
	case s.Occupy > 0 && bounded(f.Call.Pool):
		f.Kind = chain.Saturated
	case s.Side == chain.Answering && s.WorkMS > 0:
		f.Kind = chain.Slow
	case s.Side == chain.Answering || s.Upstreams[0].Mode == fault.OK || expired(s, f.Call):
		f = chain.Fault{}
	default:
		if f.Kind, ok = faultKinds[s.Upstreams[0].Mode]; !ok {
			return p, "", false
		}
	}
	if s.proxies() {
		p, fails = passedOn(s, chain.Play(r, f))
		return p, fails, true
	}
	p, fails = toldBy(s, chain.Play(r, f))
	return p, fails, true
}

// bounded says whether a pool makes a call wait at all.
func bounded(p *chain.Pool) bool { return p != nil && (p.PerHost.N > 0 || p.Total.N > 0) }

// expired says that a client has waited past its own limit for an idle connection,
// so that nothing that happens to it matters.
func expired(s BlockScenario, c *chain.Call) bool {
	pause := time.Duration(s.PauseMS) * time.Millisecond
	return pause > 0 && slices.ContainsFunc(c.Idle, func(l chain.Limit) bool { return l.Bound < pause })
}

// told is what a trace says happened at the product.
func toldBy(s BlockScenario, t chain.Trace) (p Prediction, fails string) {
	o, watched := t.Outcome, s.observe()
	p = Prediction{Status: o.Status, Cut: o.Cut, Running: o.At > watched}
	if p.Running && o.At != chain.Never { // it ends, but not while somebody looks
		p.Status, p.Cut = 0, false
	}
	if !p.Running {
		p.ElapsedMS = int(o.At / time.Millisecond)
		p.By = s.Key
		if o.Status != 0 && s.Side == chain.Calling {
			p.By = Upstream
		}
	}
	for _, e := range t.Events {
		if e.At > watched || e.Node.Layer != programLayer && (e.Node.Layer != callerLayer || e.Kind != chain.EvFailed) {
			continue
		}
		switch e.Kind {
		case chain.EvSent:
			p.Attempts++
			p.Setting, fails = "", ""
		case chain.EvTimeout, chain.EvCloses, chain.EvAnswers:
			if e.Limit != nil {
				p.Setting = settingIn(s, *e.Limit)
			}
			if e.Kind == chain.EvTimeout {
				fails = failsOf[e.Cond]
			}
		case chain.EvFailed:
			fails = failsOf[e.Cond]
		}
	}
	if p.Cut && fails == "" {
		fails = FailsCut
		if p.Setting != "" {
			fails = FailsTimeout
		}
	}
	if s.Side == chain.Answering {
		p.Attempts = 1 // the caller's
	}
	return p, fails
}

// passedOn is what a trace says that the caller of a proxy sees; how it fails
// is not told to it.
func passedOn(s BlockScenario, t chain.Trace) (Prediction, string) {
	p := predicted(t, programLayer, func(l chain.Limit) string { return settingIn(s, l) })
	if at := t.Outcome.At; at > s.observe() && at != chain.Never { // it ends, but not while somebody looks
		p = Prediction{Running: true, Attempts: 1}
		for _, e := range t.Events {
			if e.Kind == chain.EvRetries && e.At <= s.observe() && e.Node.Layer == programLayer {
				p.Attempts++
			}
		}
	}
	switch p.By {
	case upstreamLayer:
		p.By = Upstream
	case "":
	default:
		p.By = s.Key
	}
	return p, ""
}

// settingIn is a limit's setting as it stands in the block.
func settingIn(s BlockScenario, l chain.Limit) string {
	_, name, _ := strings.Cut(l.Origin.Setting, "."+s.Key+".")
	return strings.ReplaceAll(name, `"`, "") // round a name with a dash
}

// idleOfClient is when a client closes an idle connection.
func idleOfClient(s BlockScenario, r *chain.Route) (Prediction, string, bool) {
	c := r.Root.Calls()[0]
	if s.proxies() {
		c = c.To.Calls()[0]
	}
	p := Prediction{Status: 200, By: Upstream, Attempts: 1}
	if len(c.Idle) == 0 {
		return p, "", true // it reuses none
	}
	keeps := c.Idle[0]
	if keeps.Bound == chain.Never {
		p.Running, p.By = true, ""
		return p, "", true
	}
	p.Setting, p.ElapsedMS = settingIn(s, keeps), int(keeps.Bound/time.Millisecond)
	return p, "", true
}

// unreadBody is how a client ends a request whose body the callee does not take:
// the model plays no such fault, but it says which limit holds and what is sent
// again. The callee has seen no request.
func unreadBody(s BlockScenario, r *chain.Route) (Prediction, string, bool) {
	c := r.Root.Calls()[0]
	limits := c.Limits()
	i := slices.IndexFunc(limits, func(l chain.Limit) bool { return l.Kind == chain.WriteGap && l.Bound != chain.Never })
	if i < 0 {
		return Prediction{Running: true}, "", true
	}
	l, attempts := limits[i], 1
	for _, layer := range c.Layers {
		if layer.Retry != nil && layer.Retry.Allows(chain.CondWriteTimeout, s.method(), true) {
			attempts *= layer.Retry.Attempts.N
		}
	}
	ends := time.Duration(attempts) * l.Bound
	return Prediction{By: s.Key, Setting: settingIn(s, l), ElapsedMS: int(ends / time.Millisecond)}, FailsTimeout, true
}

// callerKinds are the limits that end a caller that behaves so.
var callerKinds = map[Caller]chain.Kind{
	CallerMute: chain.RequestHeaderRead, CallerHeader: chain.RequestHeaderRead, CallerDrip: chain.RequestHeaderRead,
	CallerBody: chain.RequestBodyRead, CallerIdle: chain.IdleKeepalive,
}

// slowCaller is what a server does to a caller that does not go on: the model
// plays no such fault, but it says which limits hold.
func slowCaller(s BlockScenario, r *chain.Route) (Prediction, string, bool) {
	p := Prediction{Running: true, Attempts: 1}
	if s.Caller == CallerIdle {
		p.Status = 200
	}
	var first chain.Limit
	for _, l := range r.Root.Calls()[0].To.Serve {
		if l.Kind != callerKinds[s.Caller] || l.Bound == chain.Never || l.Reset != chain.ResetNone && s.Caller == CallerDrip {
			continue
		}
		if p.Running || l.Bound < first.Bound {
			first, p.Running = l, false
		}
	}
	if p.Running {
		return p, "", true
	}
	p.By, p.Setting, p.ElapsedMS = s.Key, settingIn(s, first), int(first.Bound/time.Millisecond)
	if _, err := fmt.Sscan(string(first.Fires), &p.Status); err != nil && s.Caller != CallerIdle {
		return p, FailsBroken, first.Fires != chain.FiresEvent
	}
	return p, "", true
}
