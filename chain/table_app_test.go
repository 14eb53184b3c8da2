package chain

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// httpClient is a client like HttpClient: a first byte, then gaps, and each
// address of the connect of its own.
func httpClient(addresses int, ls ...Limit) *Call {
	connect, lease := limit(Connect, 3*s, FiresError), limit(PoolWait, s, FiresError)
	connect.Per = PerAddress
	tls := limit(TLSHandshake, 3*s, FiresError)
	tls.Per = PerAddress
	gap := limit(ResponseReadGap, 10*s, FiresError)
	gap.Start = AtRequestSent
	return &Call{Addresses: addresses, TLS: true, Pool: &Pool{PerHost: size("perRoute", 50)},
		Idle:   []Limit{limit(IdleKeepalive, time.Minute, FiresClose)},
		Layers: transportOf(append([]Limit{lease, connect, tls, gap}, ls...)...)}
}

func appWay(c *Call, change func(*Node)) *Route {
	a := app(c)
	a.node.Answers = []Answer{{CondTimeout, 504}, {CondConnectTimeout, 504}, {CondDeadline, 504}, {CondCut, 502}, {"503", 503}}
	if change != nil {
		change(a.node)
	}
	return way("GET", web(Never), a, external(12*s))
}

func TestWhatAnAppWithAGapLimitDoes(t *testing.T) {
	gap := appWay(httpClient(1), nil)
	total := appWay(httpClient(1, limit(TotalDeadline, 25*s, FiresError)), nil)
	three := appWay(httpClient(3), nil)
	check(t, []row{
		{"no free connection ends at the wait for one", gap, Saturated, "app", "its own error from app at 1s", 1, nil},
		{"silence ends after one gap", gap, Silent, "app", "504 from app at 10s", 1, nil},
		{"a header byte by byte restarts the gap and never ends", gap, HeaderDrip, "app", "never ends", 1, nil},
		{"a body byte by byte restarts the gap and never ends", gap, Trickle, "app", "never ends", 1, nil},
		{"a body that stalls ends after one gap", gap, Stall, "app", "502 from app at 10s", 1, nil},
		{"a total ends a header byte by byte", total, HeaderDrip, "app", "504 from app at 25s", 1, nil},
		{"a total ends a body byte by byte", total, Trickle, "app", "502 from app at 25s", 1, nil},
		{"one address takes one connect limit", gap, Blackhole, "app", "504 from app at 3s", 1, nil},
		{"three addresses take three connect limits", three, Blackhole, "app", "504 from app at 9s", 1, nil},
		{"three addresses take three handshakes", three, TLSStall, "app", "its own error from app at 9s", 1, nil},
		{"a refused connection fails at once", three, Refused, "app", "its own error from app at 0s", 1, nil},
		{"a slow answer is lost after one gap", gap, Slow, "app", "504 from app at 10s", 1, nil},
		{"a 503 becomes the app's own", gap, Unavailable, "app", "503 from app at 0s", 1, nil},
		{"a fault behind a person is not the app's", gap, Unavailable, "web", "503 from app at 0s", 1, nil},
	})
}

func TestOnlyWhoReadsTheBodyRepeatsWhatStopsInIt(t *testing.T) {
	loop := func(reads bool, on ...Cond) *Route {
		c := httpClient(1)
		c.Layers = append([]ClientLayer{{Name: "loop", Retry: &Retry{Attempts: size("attempts", 2), On: on, ReadsBody: reads, Interval: value("wait", s)}}}, c.Layers...)
		return appWay(c, nil)
	}
	proxied := nextUpstream(nginx(2, 3*s, 10*s), 0, 0)
	proxied.call.Layers[0].Retry.ReadsBody = true
	proxied.call.Layers[0].Retry.On = append(proxied.call.Layers[0].Retry.On, CondCut)
	cut := way("GET", web(Never), app(loopOver(httpClient(1))), nginx(1, 3*s, 5*s), external(0))
	check(t, []row{
		{"a body that stalls is asked for again by a loop around it", loop(true, CondTimeout), Stall, "app", "502 from app at 21s", 2, []string{"11s app retries"}},
		{"and by one that is for what is cut", loop(true, CondCut), Stall, "app", "502 from app at 21s", 2, nil},
		{"not by one that is for something else", loop(true, CondRefused), Stall, "app", "502 from app at 10s", 1, nil},
		{"nor by one that hands on what it has not read", loop(false, CondTimeout, CondCut), Stall, "app", "502 from app at 10s", 1, nil},
		{"a proxy has passed the header on", way("GET", web(Never), proxied, external(0)), Stall, "proxy", "200 cut short from ext at 10s", 1, nil},
		{"an answer that a proxy cuts is asked for again when it was cut", cut, Stall, "proxy", "its own error from app at 11s", 0, []string{"6s app retries"}},
	})
}

// failover is an app that calls a second callee instead of the first.
func failover(on ...Cond) *Route {
	card, wallet := httpClient(1), httpClient(1)
	card.To, wallet.To = &Node{Layer: "card", Role: RoleLeaf}, &Node{Layer: "wallet", Role: RoleLeaf}
	wallet.Instead, wallet.InsteadOn = card, on
	a := hop{&Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{card}}, {Calls: []*Call{wallet}}}}, nil}
	return way("POST", web(Never), a)
}

func TestAFailoverIsMadeInsteadOfAFailedCall(t *testing.T) {
	for _, row := range []struct {
		says  string
		on    []Cond
		kind  FaultKind
		at    string // the callee that goes wrong
		want  string
		texts []string // of the app, in order
	}{
		{"after a timeout, when it is unknown what was done", nil, Silent, "card", "200 from app at 10s",
			[]string{"connected to card, request sent", "gives up on card (response-read-gap 10s); whether it was done is unknown", "turns to wallet instead of card", "connected to wallet, request sent"}},
		{"at once after a refusal", nil, Refused, "card", "200 from app at 0s", []string{"is refused by card", "turns to wallet instead of card", "connected to wallet, request sent"}},
		{"not after a failure that it is not for, which is passed on", []Cond{CondRefused}, Silent, "card", "its own error from app at 10s",
			[]string{"connected to card, request sent", "gives up on card (response-read-gap 10s); whether it was done is unknown", "answers with its own error (timeout)"}},
		{"a fault at it is one while the other is down", []Cond{CondConnectTimeout}, Silent, "wallet", "its own error from app at 10s",
			[]string{"gets an error from card", "turns to wallet instead of card", "connected to wallet, request sent", "gives up on wallet (response-read-gap 10s); whether it was done is unknown", "answers with its own error (timeout)"}},
	} {
		r := failover(row.on...)
		for _, f := range Faults(r) {
			if f.Kind != row.kind || f.Call.To.Layer != row.at {
				continue
			}
			tr := Play(r, f)
			var texts []string
			for _, e := range tr.Events {
				if e.Node.Layer == "app" {
					texts = append(texts, e.Text())
				}
			}
			if got := outcomeText(tr.Outcome); got != row.want || !slices.Equal(texts, row.texts) {
				t.Errorf("%s: got %s\n%q", row.says, got, texts)
			}
			agrees(t, r, f)
		}
	}
}

func TestAFailoverTakesAsLongAsTheFailureBeforeIt(t *testing.T) {
	for _, row := range []struct {
		says string
		on   []Cond
		want time.Duration
	}{
		{"any failure: all of both", nil, 34 * s},
		{"a failed connect: that and the other one", []Cond{CondConnectTimeout}, 21 * s},
		{"a refusal is no later than a connect", []Cond{CondRefused}, 21 * s},
		{"a wait for a connection: shorter than the call itself", []Cond{CondPoolTimeout}, 18 * s},
	} {
		r := failover(row.on...)
		app := r.Root.Calls()[0].To
		if got := Worst(r, app).Total; got != row.want {
			t.Errorf("%s: %s, want %s", row.says, got, row.want)
		}
	}
}

func TestWhatIsNotKnownOfACallIsSaidBesideALongerOne(t *testing.T) {
	r := failover()
	app := r.Root.Calls()[0].To
	open := httpClient(1)
	open.Layers = transportOf(limit(PoolWait, s, FiresError), limit(ResponseHeader, s, FiresError), limit(ResponseReadGap, s, FiresError))
	open.TLS, open.To = false, app.Calls()[0].To
	open.Skips = []Moment{AtResolved}
	app.Steps[0].Calls = append(app.Steps[0].Calls, open) // beside the one that fails
	if got := Worst(r, app).NotChecked; !slices.ContainsFunc(got, func(x string) bool { return strings.Contains(x, "connecting") }) {
		t.Errorf("not checked: %q lacks the connect that has no limit", got)
	}
}

// loopOver is a client with a loop around it that reads what it repeats.
func loopOver(c *Call) *Call {
	c.Layers = append([]ClientLayer{{Name: "loop", Retry: &Retry{Attempts: size("attempts", 2), On: []Cond{CondCut}, ReadsBody: true, Interval: value("wait", s)}}}, c.Layers...)
	return c
}

func TestWhatADeadlineOfAnAppDoes(t *testing.T) {
	deadline := func(enforced bool, perCall time.Duration) *Route {
		return appWay(httpClient(1), func(n *Node) {
			n.Deadline = Deadline{Total: value("total", 9*s), Reserve: value("reserve", 2*s), Enforced: enforced}
			if perCall > 0 {
				n.Deadline.PerCall = value("perCall", perCall)
			}
		})
	}
	check(t, []row{
		{"an enforced deadline ends a blocked read and needs its reserve", deadline(true, 0), Silent, "app", "504 from app at 9s", 1, []string{"7s app timeout"}},
		{"a deadline that is not enforced ends no blocked read", deadline(false, 0), Silent, "app", "504 from app at 10s", 1, []string{"10s app timeout"}},
		{"the share of a call is smaller than what is left", deadline(true, 4*s), Silent, "app", "504 from app at 6s", 1, []string{"4s app timeout"}},
		{"the share of a call that is not enforced ends nothing", deadline(false, 4*s), Silent, "app", "504 from app at 10s", 1, nil},
		{"a failure before the share is spent is answered at once", deadline(true, 4*s), Saturated, "app", "its own error from app at 1s", 1, nil},
		{"an enforced deadline ends a trickle", deadline(true, 0), Trickle, "app", "502 from app at 9s", 1, nil},
		{"a trickle goes on over a deadline that is not enforced", deadline(false, 0), Trickle, "app", "never ends", 1, nil},
	})
}

// slowFirst is an app that makes a slow call before a second one.
func slowFirst(enforced bool) *Route {
	first, second := httpClient(1, limit(TotalDeadline, 60*s, FiresError)), httpClient(1)
	first.Layers[0].Limits[3].Bound = 60 * s
	first.To, second.To = external(8*s).node, &Node{Layer: "second", Role: RoleLeaf}
	a := hop{&Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{first}}, {Calls: []*Call{second}}},
		Deadline: Deadline{Total: value("total", 9*s), Reserve: value("reserve", 2*s), Enforced: enforced}}, nil}
	return way("GET", web(Never), a)
}

func TestADeadlineShapesBudgetsBetweenCalls(t *testing.T) {
	check(t, []row{
		{"a second call is not started when the first has spent the time", slowFirst(false), Slow, "app", "its own error from app at 10s", 1, []string{"8s app not-started", "10s app answers"}},
		{"an enforced deadline ends the first call", slowFirst(true), Slow, "app", "its own error from app at 9s", 1, []string{"7s app timeout"}},
	})
}

// serving is an app with an answering side behind a proxy that waits.
func serving(ls ...Limit) *Route {
	return way("GET", web(Never), nginx(1, 3*s, 60*s), server(app(httpClient(1)), ls...), external(0))
}

func TestWhatTheAnsweringSideDoes(t *testing.T) {
	handler, kill, write := limit(HandlerDeadline, 5*s, "503"), limit(WorkerKill, 4*s, FiresKill), limit(WriteTotal, 3*s, FiresClose)
	late := limit(WriteTotal, 30*s, FiresClose)
	check(t, []row{
		{"a handler deadline answers 503 before the call ends", serving(handler), Silent, "app", "503 from app at 5s", 1, []string{"5s app answers 503"}},
		{"a handler deadline leaves an answer in time alone", serving(handler), Saturated, "app", "its own error from app at 1s", 1, nil},
		{"a kill closes the connection, which the proxy answers with 502", serving(kill), Silent, "app", "502 from proxy at 4s", 1, []string{"4s app closes", "4s proxy answers 502"}},
		{"a write limit loses the answer when the handler returns and not before", serving(write), Silent, "app", "502 from proxy at 10s", 1, []string{"10s app closes"}},
		{"a write limit that is long enough loses nothing", serving(late), Silent, "app", "its own error from app at 10s", 1, nil},
		{"a handler deadline under the write limit is heard", serving(late, handler), Silent, "app", "503 from app at 5s", 1, nil},
		{"a handler deadline over the write limit is lost", serving(handler, write), Silent, "app", "502 from proxy at 5s", 1, []string{"5s app closes"}},
		{"a worker that was killed cannot answer later, in whatever order they are written", serving(kill, handler), Silent, "app", "502 from proxy at 4s", 1, nil},
		{"and the other order", serving(handler, kill), Silent, "app", "502 from proxy at 4s", 1, nil},
	})
}

func TestAKilledRelayCutsWhatItHasBegun(t *testing.T) {
	relay := server(nginx(1, 3*s, 60*s), limit(WorkerKill, 4*s, FiresKill))
	cut := server(nginx(1, 3*s, 60*s), limit(WriteTotal, 3*s, FiresClose))
	check(t, []row{
		{"a killed relay cuts a response that has begun", way("GET", web(Never), relay, external(0)), Trickle, "proxy", "200 cut short from ext at 4s", 1, nil},
		{"a killed relay that has sent nothing closes", way("GET", web(Never), relay, external(0)), Silent, "proxy", "connection closed from proxy at 4s", 1, nil},
		{"a write limit cuts a response that has begun", way("GET", web(Never), cut, external(0)), Trickle, "proxy", "200 cut short from ext at 3s", 1, nil},
	})
}

func TestTheFirstConnectShareIsTheOneThatIsPlayed(t *testing.T) {
	for _, row := range []struct {
		says    string
		percent int
		total   time.Duration // of the loop; 0 is none
		perCall time.Duration // of the app's deadline; 0 is none
		want    string
	}{
		{"of the app's deadline", 25, 0, 8 * s, "2s"},
		{"of the loop's total, where that is less", 25, 4 * s, 8 * s, "1s"},
		{"of nothing", 25, 0, 0, "none"},
		{"none is said", 0, 4 * s, 0, "none"},
	} {
		loop := ClientLayer{Name: "loop", Retry: &Retry{Attempts: size("attempts", 1), On: []Cond{CondConnectTimeout}, ConnectShare: Size{N: row.percent, Origin: Origin{Source: Written, Name: "connectShare"}}}}
		if row.total > 0 {
			loop.Limits = []Limit{limit(TotalDeadline, row.total, FiresError)}
		}
		c := httpClient(1)
		c.Layers = append([]ClientLayer{loop}, c.Layers...)
		r := appWay(c, func(n *Node) {
			if row.perCall > 0 {
				n.Deadline = Deadline{PerCall: Value{D: row.perCall, Origin: Origin{Source: Written, Name: "perCall"}}, Enforced: true}
			}
		})
		app := r.Root.Calls()[0].To
		l, ok := FirstConnectShare(app, c)
		if got := Format(l.Bound); ok && got != row.want || !ok && row.want != "none" {
			t.Errorf("%s: %s, want %s", row.says, got, row.want)
		}
		if tr := Play(r, Fault{Call: c, Kind: Blackhole}); ok && tr.Outcome.At != l.Bound {
			t.Errorf("%s: it is played at %s", row.says, Format(tr.Outcome.At))
		}
	}
}
