package chain

import (
	"strings"
	"testing"
	"time"
)

// leaving is a person who leaves a chain of a proxy and an app after 5 s.
func leaving(proxy, app_ Cancel) *Route {
	p, a := nextUpstream(nginx(2, 3*s, 12*s), 0, 0), app(httpClient(1))
	p.node.Cancel, a.node.Cancel = proxy, app_
	a.node.Answers = []Answer{{CondTimeout, 504}}
	return way("GET", web(5*s), p, a, external(0))
}

func TestWhatGoesOnAfterThePersonLeft(t *testing.T) {
	gone := "gives up from web at 5s"
	check(t, []row{
		{"a proxy that propagates stops and an app that does not goes on unheard", leaving(CancelPropagates, CancelIgnored), Silent, "app", gone, 1,
			[]string{"5s proxy leaves", "10s app timeout", "10s app undelivered 504"}},
		{"an app that propagates stops too", leaving(CancelPropagates, CancelPropagates), Silent, "app", gone, 1, []string{"5s proxy leaves", "5s app leaves"}},
		{"a proxy that does not propagate goes on, and so does all below it", leaving(CancelIgnored, CancelPropagates), Silent, "app", gone, 1,
			[]string{"10s app answers 504", "10s proxy undelivered 504"}},
		{"cancelling only on a write is not cancelling", leaving(CancelOnWrite, CancelPropagates), Silent, "app", gone, 1, []string{"10s proxy undelivered 504"}},
		{"a cancel that is not known is taken as ignored", leaving(CancelUnknown, CancelUnknown), Silent, "app", gone, 1, []string{"10s proxy undelivered 504"}},
	})
}

func TestAProxyThatStoppedMakesNoFurtherAttempt(t *testing.T) {
	r := leaving(CancelPropagates, CancelIgnored)
	r.Root.Calls()[0].Layers[0].Limits[0].Bound = 9 * s // after the proxy's second attempt of 4 s has begun
	r.Root.Calls()[0].To.Calls()[0].Layers[0].Limits[2].Bound = 4 * s
	r.Root.Calls()[0].To.Calls()[0].Addresses = 3
	tr := playAt(t, r, Silent, "app")
	sent := 0
	for _, e := range tr.Events {
		if e.Node.Layer == "app" && e.Kind == EvSent {
			sent++
		}
	}
	if sent != 3 {
		t.Errorf("the app worked %d times, not at 0s, 4s and 8s: %s", sent, brief(tr))
	}
	r.Root.Calls()[0].Layers[0].Limits[0].Bound = 7 * s
	if tr = playAt(t, r, Silent, "app"); strings.Contains(brief(tr), "8s app sent") || !strings.Contains(brief(tr), "4s app sent") {
		t.Errorf("a proxy that left at 7s sends again at 8s: %s", brief(tr))
	}
}

func TestAFirstByteLimitEndsACalleeThatClosesLater(t *testing.T) {
	edge := hop{&Node{Layer: "edge", Role: RolePassing}, &Call{Addresses: 1, Layers: transportOf(limit(ResponseFirstByte, 2*s, "504"))}}
	r := way("GET", web(Never), edge, server(app(httpClient(1)), limit(WorkerKill, 4*s, FiresKill)), external(0))
	check(t, []row{{"the limit comes first", r, Silent, "app", "504 from edge at 2s", 0, nil}})
}

func TestALimitAroundABackOffIsNoCut(t *testing.T) {
	h := nginx(1, 3*s, 10*s)
	h.call.Layers = append([]ClientLayer{{Name: "retry", Limits: []Limit{limit(TotalDeadline, 5*s, "504")},
		Retry: &Retry{Attempts: size("attempts", 2), On: []Cond{"503"}, Interval: value("wait", 20*s)}}}, h.call.Layers...)
	check(t, []row{{"the answer of the first attempt was thrown away", way("GET", web(Never), h, external(0)), Unavailable, "proxy", "504 from proxy at 5s", 0, nil}})
}

func TestALimitThatOnlyTellsEndsNothing(t *testing.T) {
	event := func(k Kind) *Route {
		h := nginx(1, 3*s, 10*s)
		h.call.Layers = append([]ClientLayer{{Name: "outer", Limits: []Limit{limit(k, 2*s, FiresEvent)},
			Retry: &Retry{Attempts: size("attempts", 2), On: []Cond{CondTimeout}, Interval: value("wait", s)}}}, h.call.Layers...)
		return way("GET", web(Never), h, external(0))
	}
	for _, k := range []Kind{AttemptDeadline, TotalDeadline} {
		r := event(k)
		check(t, []row{{string(k) + " only tells", r, Silent, "proxy", "504 from proxy at 21s", 2, nil}})
		// NGINX without a limit of TLS: connect covers both, then a write gap only with a body.
		if got := Worst(r, r.Nodes()[1]); got.Total != 27*s {
			t.Errorf("with a %s that only tells, the worst case is %s, not two times 3s and 10s and a wait", k, Format(got.Total))
		}
	}
}

func TestNothingIsSentOnAConnectionThatNeverComes(t *testing.T) {
	r := way("GET", web(Never), nginx(1, 3*s, 10*s), external(0))
	tr := playAt(t, r, Blackhole, "web")
	for _, e := range tr.Events {
		if e.Kind != EvSees {
			t.Errorf("%s happens: %s", e.Kind, brief(tr))
		}
	}
}

// full are limits of every phase.
func full(header time.Duration) []ClientLayer {
	return transportOf(limit(DNS, s, FiresError), limit(Connect, s, FiresError), limit(ResponseHeader, header, FiresError), limit(ResponseReadGap, s, FiresError))
}

func TestAStepEndsWithItsLongestCallEvenIfThatNeverEnds(t *testing.T) {
	leaf := &Node{Layer: "ext", Role: RoleLeaf}
	endless, short := &Call{To: leaf, Addresses: 1, Layers: full(Never)}, &Call{To: leaf, Addresses: 1, Layers: full(s)}
	for _, calls := range [][]*Call{{endless, short}, {short, endless}} {
		n := &Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: calls}}}
		if got := Worst(&Route{Method: "GET", Root: n}, n); got.Total != Never {
			t.Errorf("two calls at once, one of which never ends, end at %s", Format(got.Total))
		}
	}
}

func TestAWindowLetsItsLastAttemptWaitOutItsBackOff(t *testing.T) {
	leaf := &Node{Layer: "ext", Role: RoleLeaf}
	c := &Call{To: leaf, Addresses: 1, Layers: full(9 * s)}
	c.Layers[0].Retry = &Retry{Attempts: size("attempts", 9), On: []Cond{CondTimeout}, Interval: value("wait", 100*s), Window: value("window", 10*s)}
	n := &Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{c}}}}
	r := &Route{Method: "GET", Root: n}
	tr := playAt(t, r, Silent, "app")
	if tr.Outcome.At != 118*s || tries(tr, "app") != 2 {
		t.Errorf("an attempt that failed at 9s, in the window, is made again at 109s: %s", brief(tr))
	}
	// 10s of window, 100s of wait, and 1s + 1s + 9s for the last attempt.
	if got := Worst(r, n); got.Total != 121*s {
		t.Errorf("the worst case is %s, want 121s (%+v)", Format(got.Total), got.Terms)
	}
}

func TestAnAnswerThatAWriteLimitClosesOnIsLostOnce(t *testing.T) {
	r := leaving(CancelPropagates, CancelIgnored)
	r.Nodes()[2].Serve = []Limit{limit(WriteTotal, 3*s, FiresClose)}
	if got := brief(playAt(t, r, Silent, "app")); strings.Count(got, "undelivered") != 1 || !strings.Contains(got, "10s app undelivered 504") {
		t.Errorf("the app's 504 is lost once, at 10s: %s", got)
	}
}
