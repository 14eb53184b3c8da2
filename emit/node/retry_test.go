package node

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

func TestRetriesGolden(t *testing.T) {
	s := nodeApp()
	golden.EveryRetry(s)
	files, warnings := golden.Emit(t, Target, s)
	golden.Compare(t, "testdata/retries", map[string]string{"api_limits.ts": files["api_limits.ts"]})
	if len(warnings) != 1 {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestARepeatThatTheClientDoesOtherwiseIsNotPromised(t *testing.T) {
	for want, change := range map[string]func(*chain.Retry){
		"a response that stops after its header is not repeated: the Node.js client has handed it on by then": func(r *chain.Retry) { r.ReadsBody = true },
		"the Node.js client sends a request of another method again too, where nothing of it was sent":        func(r *chain.Retry) { r.AsksFirst = true },
	} {
		s := nodeApp()
		change(golden.Retries(s))
		_, warnings := golden.Emit(t, Target, s)
		if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("warnings = %q, want %q", warnings, want)
		}
	}
}

func TestAPolicyOfWhatCannotHappen(t *testing.T) {
	s := nodeApp()
	golden.Retries(s).On = []chain.Cond{chain.CondCut}
	files, warnings := golden.Emit(t, Target, s)
	if text := files["api_limits.ts"]; !strings.Contains(text, "attempts: 1,") || strings.Contains(text, "retryOn") {
		t.Errorf("it is written:\n%s", text)
	}
	if !slices.ContainsFunc(warnings, func(w string) bool {
		return strings.Contains(w, "no attempt of the Node.js client can fail by what it names: nothing is sent again")
	}) {
		t.Errorf("warnings = %q", warnings)
	}
}

// A callee counts the requests that come, and goes wrong as it is told; after some
// of them it answers.
type callee struct {
	*httptest.Server
	mu     sync.Mutex
	well   int // how many requests it answers at first
	bodies []string
}

func (c *callee) answersFirst(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.well = n
}

func (c *callee) requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.bodies)
}

func newCallee(t testing.TB, k chain.FaultKind, answersAfter int) *callee {
	c := &callee{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		c.bodies = append(c.bodies, string(body))
		n, well := len(c.bodies), c.well
		c.mu.Unlock()
		switch {
		case answersAfter > 0 && n > answersAfter, n <= well:
			io.WriteString(w, "ok")
		case k == chain.Unavailable:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		case k == chain.ResetFault:
			conn, _, _ := http.NewResponseController(w).Hijack()
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		default:
			<-r.Context().Done()
		}
	}))
	t.Cleanup(c.CloseClientConnections)
	return c
}

// lasts is how often the app of the sample asks its callee under a fault, and when and
// by which of its limits it is done, as the trace says.
func lasts(t testing.TB, s *chain.Stack, k chain.FaultKind) (attempts int, limit string, at time.Duration) {
	t.Helper()
	r := *s.Routes[0]
	r.Root = sample.Node(s.Routes[0], "api")
	attempts = 1
	for _, e := range chain.Play(&r, chain.Fault{Kind: k, Call: r.Root.Calls()[0], From: r.Root}).Events {
		switch {
		case e.Node != r.Root:
		case e.Kind == chain.EvRetries:
			attempts, at = e.Count, e.At
		case e.Kind == chain.EvTimeout && e.Limit.Kind == chain.AttemptDeadline && e.Limit.Origin.Setting == "api.attempt":
			limit, at = "perAttempt", e.At
		case e.Kind == chain.EvTimeout && e.Limit.Origin.Setting == "api.app.deadline.perCall":
			limit, at = "perCall", e.At
		case e.Kind == chain.EvTimeout:
			limit, at = limitOf[e.Limit.Kind], e.At
		}
	}
	return attempts, limit, at
}

// values writes the values of s into a directory that was built: they are plain
// JavaScript but for their type.
func values(t testing.TB, dir string, s *chain.Stack) {
	t.Helper()
	files, _ := golden.Emit(t, Target, s)
	text := strings.NewReplacer(": Limits", "", "import type", "// import type").Replace(files["api_limits.ts"])
	if err := emit.WriteDir(dir, []emit.File{{Name: "api_limits.js", Content: []byte(text)}}); err != nil {
		t.Fatal(err)
	}
}

// The emitted clients send a request as often, wait as long and end as the trace of
// the stack says.
//
// They run alone: another test beside them would be in what they measure.
func TestRetries(t *testing.T) {
	attemptLimit, _ := chain.PresetOf(chain.AttemptDeadline)
	compiled := quick()
	golden.Retries(compiled)
	dir := build(t, compiled)
	for _, tc := range []struct {
		name, method string
		fault        chain.FaultKind
		change       func(s *chain.Stack, r *chain.Retry)
		ended        string // where no limit ends it
		exact        bool   // undici, which looks at silence about twice a second, is too late to tell
	}{
		{name: "silence, until all attempts are made", method: "GET", fault: chain.Silent},
		{name: "silence after a method that is not repeated", method: "POST", fault: chain.Silent},
		{name: "silence after any method", exact: true, method: "POST", fault: chain.Silent, change: func(_ *chain.Stack, r *chain.Retry) { r.OnMethods = nil }},
		{name: "nobody listens, whatever the method", method: "POST", fault: chain.Refused, ended: "ECONNREFUSED"},
		{name: "nobody listens, and nothing is waited for", method: "GET", fault: chain.Refused, ended: "ECONNREFUSED", change: func(_ *chain.Stack, r *chain.Retry) { r.AtOnce = r.On }},
		{name: "a broken connection", method: "PUT", fault: chain.ResetFault, ended: "broken"},
		{name: "a status, of which the last one is handed on", method: "GET", fault: chain.Unavailable, ended: "503 busy\n"},
		{name: "a status that is repeated whatever the method", method: "POST", fault: chain.Unavailable, ended: "503 busy\n", change: func(_ *chain.Stack, r *chain.Retry) { r.AnyMethod = []chain.Cond{"503"} }},
		{name: "a class of statuses", method: "GET", fault: chain.Unavailable, ended: "503 busy\n", change: func(_ *chain.Stack, r *chain.Retry) {
			r.On = nil
			for status := 500; status < 600; status++ {
				r.On = append(r.On, chain.Cond(strconv.Itoa(status)))
			}
		}},
		{name: "a status that is not repeated", method: "GET", fault: chain.Unavailable, ended: "503 busy\n", change: func(_ *chain.Stack, r *chain.Retry) { r.On = r.On[:1] }},
		{name: "the limit of the whole call ends an attempt", exact: true, method: "GET", fault: chain.Silent, change: func(s *chain.Stack, _ *chain.Retry) {
			sample.Node(s.Routes[0], "api").Deadline.PerCall.D = 1050 * time.Millisecond
		}},
		{name: "the limit of the whole call ends a wait", exact: true, method: "GET", fault: chain.Silent, change: func(s *chain.Stack, _ *chain.Retry) {
			sample.Node(s.Routes[0], "api").Deadline.PerCall.D = 650 * time.Millisecond
		}},
		{name: "too little is left for another attempt", exact: true, method: "GET", fault: chain.Silent, change: func(_ *chain.Stack, r *chain.Retry) {
			r.Least = chain.Value{D: 4150 * time.Millisecond, Origin: r.Origin}
		}},
		{name: "the window for another attempt is over", exact: true, method: "GET", fault: chain.Silent, change: func(_ *chain.Stack, r *chain.Retry) {
			r.Window = chain.Value{D: 900 * time.Millisecond, Origin: r.Origin}
		}},
		{name: "each attempt has a limit of its own", method: "GET", fault: chain.Silent, change: func(s *chain.Stack, r *chain.Retry) {
			r.On = append(r.On, chain.CondDeadline)
			l := chain.Limit{Kind: chain.AttemptDeadline, Side: attemptLimit.Side, Start: attemptLimit.Start, End: attemptLimit.End, Reset: attemptLimit.Reset,
				Bound: 300 * time.Millisecond, Fires: chain.FiresError, Origin: chain.Origin{Source: chain.Written, Setting: "api.attempt"}}
			c := call(s)
			c.Layers = append([]chain.ClientLayer{{Name: "loop", Retry: r, Limits: []chain.Limit{l}}}, c.Layers...)
			c.Layers[1].Retry = nil
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := quick()
			s.Routes[0].Method = tc.method
			sample.Node(s.Routes[0], "api").Deadline.PerCall.D = 5500 * time.Millisecond
			bound(call(s), chain.ResponseFirstByte, 500*time.Millisecond)
			bound(call(s), chain.ResponseReadGap, 500*time.Millisecond)
			r := golden.Retries(s)
			r.Interval.D = 300 * time.Millisecond
			if tc.change != nil {
				tc.change(s, r)
			}
			attempts, limit, at := lasts(t, s, tc.fault)
			values(t, dir, s)
			kinds := []string{"node", "undici"}
			if tc.exact {
				kinds = kinds[:1]
			}
			measure := func(t testing.TB, kind string) {
				c := newCallee(t, tc.fault, 0)
				if tc.fault == chain.Refused {
					c.Listener.Close()
				}
				late := 500 * time.Millisecond
				if kind == "undici" && limit == "header" {
					late += time.Duration(attempts) * time.Second // it looks at it about twice a second
				}
				want := limit
				if limit == "" {
					want = tc.ended
				}
				for i, got := range run(t, dir, kind, c.URL, "1", `{"method": "`+tc.method+`"}`) {
					if got.Ended == "ECONNRESET" || got.Ended == "UND_ERR_SOCKET" {
						got.Ended = "broken"
					}
					if took := time.Duration(got.MS) * time.Millisecond; got.Ended != want || took < at-50*time.Millisecond || took > at+late {
						t.Errorf("%s, call %d: ended by %q after %dms, want %q after %v", kind, i, got.Ended, got.MS, want, at)
					}
				}
				if n := len(c.requests()); n != 2*attempts && tc.fault != chain.Refused {
					t.Errorf("%s: two calls came to %d requests, want %d for each", kind, n, attempts)
				}
			}
			for _, kind := range kinds {
				retake.Test(t, func(t testing.TB) { measure(t, kind) })
			}
		})
	}
}

// A callee that recovers is answered from, and got the whole body each time; a body
// that can be read but once is sent once.
func TestARepeatedBody(t *testing.T) { retake.Test(t, aRepeatedBody) }

func aRepeatedBody(t testing.TB) {
	s := quick()
	golden.Retries(s).OnMethods = nil
	dir := build(t, s)
	for _, kind := range []string{"node", "undici"} {
		c := newCallee(t, chain.Unavailable, 2)
		got := run(t, dir, kind, c.URL, "1", `{"method": "POST", "body": "all of it"}`)
		if got[0].Ended != "200 ok" || got[0].MS < 550 {
			t.Errorf("%s: ended by %q after %dms, want an answer after 600ms", kind, got[0].Ended, got[0].MS)
		}
		if want := slices.Repeat([]string{"all of it"}, 4); !slices.Equal(c.requests(), want) {
			t.Errorf("%s: the callee got %q", kind, c.requests())
		}
		c = newCallee(t, chain.Unavailable, 0)
		run(t, dir, kind, c.URL, "1", `{"method": "POST", "stream": "once"}`)
		if want := slices.Repeat([]string{"once"}, 2); !slices.Equal(c.requests(), want) {
			t.Errorf("%s: of a stream the callee got %q, want %s", kind, c.requests(), strconv.Quote("once"))
		}
	}
}

// A kept connection that breaks is a broken one as well.
func TestAKeptConnectionThatBreaks(t *testing.T) { retake.Test(t, aKeptConnectionThatBreaks) }

func aKeptConnectionThatBreaks(t testing.TB) {
	s := quick()
	golden.Retries(s)
	dir := build(t, s)
	for on, want := range map[chain.Cond]int{chain.CondReset: 4, chain.CondStale: 2 + 1, chain.CondTimeout: 2} {
		golden.Retries(s).On = []chain.Cond{on}
		values(t, dir, s)
		c := newCallee(t, chain.ResetFault, 0)
		c.answersFirst(1)
		run(t, dir, "node", c.URL, "1", `{}`)
		if got := len(c.requests()); got != want {
			t.Errorf("repeated on %s: %d requests, want %d", on, got, want)
		}
	}
}
