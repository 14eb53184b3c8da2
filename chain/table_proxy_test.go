package chain

import (
	"testing"
	"time"
)

const s = time.Second

func TestWhatAProxyLikeNGINXDoes(t *testing.T) {
	one := func(method string, r hop) *Route { return way(method, web(Never), r, external(12*s)) }
	plain := one("GET", nginx(1, 3*s, 10*s))
	two := one("GET", nextUpstream(nginx(2, 3*s, 10*s), 0, 0))
	post := one("POST", nextUpstream(nginx(2, 3*s, 10*s), 0, 0))
	window := one("GET", nextUpstream(nginx(3, 3*s, 2*s), 0, 3*s))
	tries := one("GET", nextUpstream(nginx(3, 3*s, 2*s), 2, 0))
	check(t, []row{
		{"a SYN that nobody answers ends at the connect limit", plain, Blackhole, "proxy", "504 from proxy at 3s", 1, nil},
		{"a handshake that stalls ends at the same connect limit", plain, TLSStall, "proxy", "504 from proxy at 3s", 1, nil},
		{"a refused connection is answered with 502 at once", plain, Refused, "proxy", "502 from proxy at 0s", 1, nil},
		{"a broken connection is answered with 502 at once", plain, ResetFault, "proxy", "502 from proxy at 0s", 1, nil},
		{"silence ends at the header limit", plain, Silent, "proxy", "504 from proxy at 10s", 1, nil},
		{"a header byte by byte ends at the header limit too", plain, HeaderDrip, "proxy", "504 from proxy at 10s", 1, nil},
		{"a body that stalls is cut with the status 200 sent", plain, Stall, "proxy", "200 cut short from ext at 10s", 1, []string{"10s proxy cuts 200"}},
		{"a body that trickles never ends", plain, Trickle, "proxy", "200, never ends", 1, nil},
		{"a 503 is passed on", plain, Unavailable, "proxy", "503 from ext at 0s", 1, []string{"0s proxy passes 503"}},
		{"a slow answer that is later than the limit is lost", plain, Slow, "proxy", "504 from proxy at 10s", 1, nil},
		{"a connection that was just closed is answered with 502 without a retry", plain, IdleRace, "proxy", "502 from proxy at 0s", 1, nil},

		{"two addresses make a GET wait twice", two, Silent, "proxy", "504 from proxy at 20s", 2, []string{"10s proxy timeout", "10s proxy retries", "20s proxy timeout"}},
		{"two addresses make a GET connect twice", two, Blackhole, "proxy", "504 from proxy at 6s", 2, nil},
		{"a POST that was written is not sent again", post, Silent, "proxy", "504 from proxy at 10s", 1, nil},
		{"a POST that was not written goes on to the second address", post, Blackhole, "proxy", "504 from proxy at 6s", 2, nil},
		{"a POST that was refused goes on to the second address", post, Refused, "proxy", "502 from proxy at 0s", 2, nil},
		{"a body that stalls is not asked for again", two, Stall, "proxy", "200 cut short from ext at 10s", 1, nil},
		{"a stale connection makes a GET go to the next address", two, IdleRace, "proxy", "200 from ext at 0s", 2, nil},
		{"a stale connection makes a POST fail", post, IdleRace, "proxy", "502 from proxy at 0s", 1, nil},
		{"503 is no condition of its own", two, Unavailable, "proxy", "503 from ext at 0s", 1, nil},

		{"a window of 3s lets a second attempt of 2s begin and no third", window, Silent, "proxy", "504 from proxy at 4s", 2, []string{"4s proxy not-started"}},
		{"a window never interrupts a connect", window, Blackhole, "proxy", "504 from proxy at 3s", 1, []string{"3s proxy not-started"}},
		{"tries of 2 leave the third address alone", tries, Silent, "proxy", "504 from proxy at 4s", 2, nil},
	})
}

func TestWhatAnEjectionTells(t *testing.T) {
	eject := func(fails int) *Route {
		h := nextUpstream(nginx(2, 3*s, 10*s), 0, 0)
		h.call.Eject = &Ejection{Fails: fails, For: 10 * s, On: []Cond{CondTimeout, CondConnectTimeout}, Answer: 502}
		return way("GET", web(Never), h, external(0))
	}
	gone := "20s proxy ejects 502"
	tr := playAt(t, eject(1), Silent, "proxy")
	if !happens(tr, gone) {
		t.Errorf("after all addresses failed, none is left: no %q in %s", gone, brief(tr))
	}
	if last := tr.Events[len(tr.Events)-1]; last.Kind != EvEjects || last.For != 10*s || last.Count != 2 {
		t.Errorf("the last event is %+v", last)
	}
	for says, r := range map[string]Trace{
		"one failure of two that are needed ejects nothing": playAt(t, eject(2), Silent, "proxy"),
		"a failure that does not count ejects nothing":      playAt(t, eject(1), Refused, "proxy"),
		"an ejection that is off ejects nothing":            playAt(t, eject(0), Silent, "proxy"),
	} {
		if happens(r, gone) || happens(r, "0s proxy ejects 502") {
			t.Errorf("%s: %s", says, brief(r))
		}
	}
}

func TestWhatAStaleConnectionDoes(t *testing.T) {
	resend := func(method string, methods []string) *Route {
		h := nginx(1, 3*s, 10*s)
		h.call.Resend = &Retry{On: []Cond{CondStale, CondReset}, OnMethods: methods, Hidden: true}
		return way(method, web(Never), h, external(0))
	}
	check(t, []row{
		{"a GET is resent by the product itself", resend("GET", []string{"GET"}), IdleRace, "proxy", "200 from ext at 0s", 2, []string{"0s proxy failed", "0s proxy retries"}},
		{"a POST is not resent and becomes 502", resend("POST", []string{"GET"}), IdleRace, "proxy", "502 from proxy at 0s", 1, nil},
		{"a product that resends everything resends a POST", resend("POST", nil), IdleRace, "proxy", "200 from ext at 0s", 2, nil},
		{"a broken connection that was not stale is not resent", resend("GET", nil), ResetFault, "proxy", "502 from proxy at 0s", 1, nil},
	})
}

func TestWhatARetryThatKnowsItsFailuresApartDoes(t *testing.T) {
	client := func(method string) *Route {
		h := app(&Call{Layers: transportOf(limit(ResponseHeader, 10*s, FiresError), limit(ResponseReadGap, 10*s, FiresError))})
		h.call.Layers[0].Retry = &Retry{Attempts: size("maxRetries", 2), On: []Cond{"503", CondReset}, OnMethods: []string{"GET"},
			AnyMethod: []Cond{"503"}, AtOnce: []Cond{CondReset}, Interval: value("wait", s)}
		return way(method, web(Never), h, external(0))
	}
	get, post := client("GET"), client("POST")
	check(t, []row{
		{"a GET on a connection that breaks is sent again at once", get, ResetFault, "app", "its own error from app at 0s", 2, []string{"0s app retries"}},
		{"a POST on it is not", post, ResetFault, "app", "its own error from app at 0s", 1, nil},
		{"a GET that gets 503 is sent again after the wait", get, Unavailable, "app", "its own error from app at 1s", 2, []string{"1s app retries"}},
		{"a POST that gets 503 as well", post, Unavailable, "app", "its own error from app at 1s", 2, []string{"1s app retries"}},
	})
	noStatus := client("GET")
	noStatus.Root.Calls()[0].To.Calls()[0].Layers[0].Retry.On = []Cond{CondReset}
	for r, want := range map[*Route]time.Duration{get: 21 * s, post: 21 * s, noStatus: 20 * s} {
		if w := Worst(r, r.Root.Calls()[0].To); w.Total != want {
			t.Errorf("the worst case of %s is %s, want %s", r.Name, Format(w.Total), Format(want))
		}
	}
}

func TestARetryThatAsksForTheMethodFirst(t *testing.T) {
	client := func(method string, first bool) *Route {
		h := app(&Call{Layers: transportOf(limit(ResponseHeader, 10*s, FiresError))})
		h.call.Layers[0].Retry = &Retry{Attempts: size("maxRetries", 2), On: []Cond{CondRefused}, OnMethods: []string{"GET"}, AsksFirst: first, Interval: value("wait", s)}
		return way(method, web(Never), h, external(0))
	}
	check(t, []row{
		{"a POST that is refused was not sent, and may be sent again", client("POST", false), Refused, "app", "its own error from app at 1s", 2, []string{"1s app retries"}},
		{"one whose method is asked for first is not", client("POST", true), Refused, "app", "its own error from app at 0s", 1, nil},
		{"a GET is", client("GET", true), Refused, "app", "its own error from app at 1s", 2, []string{"1s app retries"}},
	})
}

func TestWhatAConnectDoesThatTheKernelEnds(t *testing.T) {
	client := func(kernel bool, on ...Cond) *Route {
		connect := limit(Connect, 135*s, FiresError)
		connect.Kernel = kernel
		h := app(&Call{Layers: transportOf(connect)})
		h.call.Layers[0].Retry = &Retry{Attempts: size("attempts", 2), On: on, OnMethods: []string{"GET"}}
		return way("POST", web(Never), h, external(0))
	}
	check(t, []row{
		{"it is repeated by who repeats an error of connecting", client(true, CondUnanswered), Blackhole, "app", "its own error from app at 270s", 2, nil},
		{"and by who repeats a time that is up", client(true, CondConnectTimeout), Blackhole, "app", "its own error from app at 270s", 2, nil},
		{"a limit of the product's own is no such error", client(false, CondUnanswered), Blackhole, "app", "its own error from app at 135s", 1, nil},
		{"nor is a refused connect", client(true, CondRefused), Blackhole, "app", "its own error from app at 135s", 1, nil},
	})
}

func TestATimerThatOnlyTellsIsNoLimitOfItsKind(t *testing.T) {
	tells, ends := limit(ResponseHeader, s, FiresEvent), limit(ResponseHeader, 2*s, FiresError)
	c := &Call{Layers: transportOf(tells, ends)}
	if l, ok := c.Limit(ResponseHeader); !ok || l.Bound != 2*s {
		t.Errorf("%+v, %v", l, ok)
	}
	c.Layers = transportOf(tells)
	if l, ok := c.Limit(ResponseHeader); ok {
		t.Errorf("%+v", l)
	}
}

func TestWhatAProxyThatHoldsBackDoes(t *testing.T) {
	h := nginx(1, 3*s, 10*s)
	h.call.HoldsBack = true
	r := way("GET", web(60*s), h, external(0))
	check(t, []row{
		{"a short body that stalls is held back and then sent cut", r, Stall, "proxy", "200 cut short from ext at 10s", 1, nil},
		{"a trickle of few bytes is never seen", r, Trickle, "proxy", "gives up from web at 60s", 1, nil},
		{"an answer that ends is passed on", r, Unavailable, "proxy", "503 from ext at 0s", 1, nil},
	})
}

func TestNothingHoldsBackWhatComesOnAnUpgradedConnection(t *testing.T) {
	held := func(person time.Duration) *Route {
		h := nginx(1, 3*s, 10*s)
		h.call.HoldsBack = true
		r := way("GET", web(person), h, external(0))
		r.Response.Mode = WebSocket
		return r
	}
	slow := held(60 * s)
	slow.Root.Calls()[0].To.Calls()[0].To.Work.Max = value("work.max", s)
	check(t, []row{
		{"a quiet one is closed by the proxy", held(60 * s), Stall, "proxy", "101 cut short from ext at 10s", 1, []string{"10s proxy cuts 101"}},
		{"one with a byte now and then ends with the person's limit", held(60 * s), Trickle, "proxy", "101, gives up from web at 60s", 1, nil},
		{"or never", held(Never), Trickle, "proxy", "101, never ends", 1, nil},
		{"one that is refused is an ordinary answer", held(60 * s), Unavailable, "proxy", "503 from ext at 0s", 1, nil},
		{"one that opens late is open", slow, Slow, "proxy", "101 from ext at 1s", 1, []string{"1s ext answers 101"}},
	})
	app := way("GET", web(60*s), hop{&Node{Layer: "app", Role: RoleBuffering, Answers: []Answer{{CondTimeout, 504}}}, nginx(1, 3*s, 10*s).call}, external(0))
	app.Response.Mode = WebSocket
	app.Root.Calls()[0].To.Calls()[0].To.Work.Max = value("work.max", s)
	check(t, []row{
		{"what an app asks of another is no WebSocket", app, Slow, "app", "101 from app at 1s", 1, []string{"1s ext answers 200"}},
	})
}

func TestWhatAPersonSees(t *testing.T) {
	patient, hasty := way("GET", web(Never), nginx(1, 3*s, 10*s), external(0)), way("GET", web(5*s), nginx(1, 3*s, 10*s), external(0))
	check(t, []row{
		{"a person without a limit waits for silence forever", patient, Silent, "web", "never ends", 0, nil},
		{"a person without a limit waits for a SYN forever", patient, Blackhole, "web", "never ends", 0, nil},
		{"a person without a limit watches a trickle forever", patient, Trickle, "web", "200, never ends", 0, nil},
		{"a person with a limit gives up before the proxy answers", hasty, Silent, "proxy", "gives up from web at 5s", 0, []string{"5s proxy leaves"}},
		{"a person with a limit has half of an answer that stalls", hasty, Stall, "proxy", "200, gives up from web at 5s", 0, nil},
		{"a person sees a refused connection", hasty, Refused, "web", "connection refused from proxy at 0s", 0, nil},
		{"a person sees a broken connection", hasty, ResetFault, "web", "connection reset from proxy at 0s", 0, nil},
		{"an answer in time is an answer", hasty, Unavailable, "web", "503 from proxy at 0s", 0, nil},
	})
}
