package chain

import (
	"strings"
	"testing"
	"time"
)

// words are nodes and limits to make events of, independent of any player.
type words struct {
	web, edge, proxy, api, auth *Node
	read                        *Limit
}

func newWords() words {
	node := func(name string) *Node { return &Node{Layer: name} }
	w := words{web: node("web"), edge: node("edge"), proxy: node("proxy"), api: node("api"), auth: node("auth")}
	w.read = &Limit{Kind: ResponseHeader, Side: Calling, Bound: 90 * time.Second, Origin: Origin{Name: "proxy_read_timeout"}}
	return w
}

func TestEveryKindOfEventHasWords(t *testing.T) {
	w := newWords()
	kinds := []EventKind{EvRedials, EvSent, EvTimeout, EvFailed, EvRetries, EvNotStarted, EvExhausted, EvAnswers, EvPasses, EvCuts, EvCloses, EvSees, EvLeaves, EvUndelivered, EvEjects}
	for _, k := range kinds {
		for _, e := range []Event{{Kind: k}, {Kind: k, Node: w.proxy, Peer: w.api, Limit: w.read, Status: 504, Count: 2}} {
			if text := e.Text(); text == string(k) && k != "" || strings.Contains(text, "%!") {
				t.Errorf("%s: %q", k, text)
			}
		}
	}
	for _, k := range FaultKinds {
		if text := (Fault{Kind: k}).Text(); strings.HasPrefix(text, string(k)+" at") {
			t.Errorf("%s: %q", k, text)
		}
	}
}

func TestASlowCalleesFaultNamesWhatItTakes(t *testing.T) {
	handler := limit(HandlerDeadline, 6*s, "503")
	handler.Origin = Origin{Name: "TimeoutHandler", Source: Written}
	n := &Node{Layer: "api", Role: RoleBuffering, Serve: []Limit{handler}}
	f := Fault{Kind: Slow, Call: &Call{To: n}}
	if got := f.Text(); got != "api answers after all that its TimeoutHandler leaves it" {
		t.Error(got)
	}
	n.Work.P99 = value("p99", s)
	if got := f.Text(); got != "api answers after its declared tail" {
		t.Error(got)
	}
}

func TestEventText(t *testing.T) {
	w := newWords()
	killed := &Limit{Kind: WorkerKill, Side: Answering, Bound: 30 * time.Second, Origin: Origin{Name: "timeout"}}
	again := &Retry{On: []Cond{CondReset}}
	call := &Call{To: w.api, OneByOne: true, Addresses: 6, Layers: []ClientLayer{{Retry: again}}}
	around, inside := &Retry{Attempts: Size{N: 3}, On: []Cond{CondReset}}, &Retry{Attempts: Size{N: 2}, On: []Cond{CondReset}}
	w.api.Steps = append(w.api.Steps, Step{Calls: []*Call{{To: w.web, Product: "httpclient5 5.5", Layers: []ClientLayer{{Name: "resilience4jRetry", Retry: around}, {Retry: inside}}}}})
	w.proxy.Steps = []Step{{Calls: []*Call{call}}}
	wraps, replaced := &Retry{Exhausted: "MaxRetryError"}, &Retry{Exhausted: "UND_ERR_REQ_RETRY", ExhaustedAnswer: true}
	for _, tc := range []struct {
		e    Event
		want string
	}{
		{Event{Kind: EvTimeout, Peer: w.api, Limit: w.read}, "gives up on api (proxy_read_timeout 90s)"},
		{Event{Kind: EvTimeout, Peer: w.api, Limit: &Limit{Kind: Connect, Origin: Origin{Name: "Dialer.Timeout", Text: "-1s"}}}, "gives up on api (Dialer.Timeout -1s)"},
		{Event{Kind: EvTimeout, Peer: w.api, Limit: &Limit{Kind: Connect, Origin: Origin{Name: "Dialer.Timeout", Text: "0"}}}, "gives up on api (Dialer.Timeout 0s)"},
		{Event{Kind: EvTimeout, Peer: w.api, Limit: &Limit{Kind: PoolWait, Count: true, Origin: Origin{Name: "pendingAcquireMaxCount", Text: "0"}}}, "gives up on api (pendingAcquireMaxCount 0)"},
		{Event{Kind: EvRetries, Node: w.proxy, Peer: w.api, Count: 2, Retry: again}, "sends it again to another address (2 of 6)"},
		{Event{Kind: EvRetries, Node: w.api, Peer: w.web, Count: 3, Retry: around}, "sends it again (3 of 3 by resilience4jRetry)"},
		{Event{Kind: EvRetries, Node: w.api, Peer: w.web, Count: 2, Retry: inside}, "sends it again (2 of 2 by httpclient5)"},
		{Event{Kind: EvRetries, Node: w.api, Peer: w.auth, Count: 2}, "sends it again (attempt 2)"},
		{Event{Kind: EvRedials, Node: w.api, Peer: w.auth, Limit: &Limit{Kind: Connect, Bound: 3 * time.Second, Origin: Origin{Name: "connect"}}}, "has no answer from auth's first address, dials the next (connect 3s)"},
		{Event{Kind: EvExhausted, Node: w.proxy, Peer: w.api, Count: 6, Retry: again, Cond: CondReset}, "has used up its attempts (6 of 6)"},
		{Event{Kind: EvExhausted, Node: w.api, Peer: w.web, Count: 3, Retry: around, Cond: CondReset}, "has used up its attempts (3 of 3 by resilience4jRetry)"},
		{Event{Kind: EvExhausted, Node: w.api, Peer: w.auth, Count: 2, Retry: wraps, Cond: CondReset}, "has used up its attempts: MaxRetryError"},
		{Event{Kind: EvExhausted, Node: w.api, Peer: w.auth, Count: 2, Retry: replaced, Cond: "503"}, "has used up its attempts: UND_ERR_REQ_RETRY"},
		{Event{Kind: EvExhausted, Node: w.api, Peer: w.auth, Count: 2, Retry: replaced, Cond: CondReset}, "has used up its attempts"},
		{Event{Kind: EvNotStarted, Peer: w.api, Cond: CondDeadline, Limit: &Limit{Kind: TotalDeadline, Origin: Origin{Name: "deadline"}}}, "has no time left to call api (deadline 0s)"},
		{Event{Kind: EvNotStarted, Peer: w.api, Limit: &Limit{Kind: RetryLeast, Bound: time.Second, Origin: Origin{Name: "least"}}}, "has no time left for another attempt (least 1s)"},
		{Event{Kind: EvAnswers, Status: 504, Limit: w.read}, "answers 504"},
		{Event{Kind: EvAnswers, Status: 503, Limit: killed}, "answers 503 (timeout 30s)"},
		{Event{Kind: EvPasses, Status: 504}, "passes 504 on"},
		{Event{Kind: EvFailed, Peer: w.api, Cond: "503"}, "gets 503 from api"},
		{Event{Kind: EvFailed, Peer: w.api, Cond: CondRefused}, "is refused by api"},
		{Event{Kind: EvSees, Node: w.web, Peer: w.proxy, Status: 504}, "sees 504 from proxy"},
		{Event{Kind: EvSees, Node: w.web, Peer: w.api}, "sees api's own error"},
		{Event{Kind: EvSees, Node: w.web, Peer: w.web, Cond: CondTimeout}, "sees no answer"},
		{Event{Kind: EvSees, At: Never}, "waits for an answer, which never comes"},
		{Event{Kind: EvSees, At: Never, Status: 200}, "waits for the rest of a 200, which never comes"},
		{Event{Kind: EvAnswers, Cond: "503"}, "answers with its own error (503)"},
		{Event{Kind: EvAnswers, Cond: answered(0)}, "answers with its own error (the callee's own error)"},
		{Event{Kind: EvAnswers, Cond: CondTimeout}, "answers with its own error (timeout)"},
		{Event{Kind: EvAnswers, Cond: CondDeadline, Status: 504}, "answers 504"},
		{Event{Kind: EvSees, At: Never, Status: 101}, "waits on its upgraded connection, which nothing ends"},
		{Event{Kind: EvSees, Status: 101, Cond: CondCut}, "sees 101, then closed"},
		{Event{Kind: EvCuts, Status: 101}, "closes the upgraded connection"},
		{Event{Kind: EvUndelivered}, "its own error is never delivered"},
		{Event{Kind: EvUndelivered, Status: 200}, "its answer is never delivered"},
	} {
		if got := tc.e.Text(); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.e.Kind, got, tc.want)
		}
	}
}

func TestOutcomeText(t *testing.T) {
	w := newWords()
	for _, tc := range []struct {
		o    Outcome
		want string
	}{
		{Outcome{Status: 504, From: w.proxy, At: 90 * time.Second}, "504 from proxy at 90s"},
		{Outcome{Error: "gives up", From: w.web, At: 160 * time.Second}, "web gives up at 160s"},
		{Outcome{Status: 200, Error: "gives up", From: w.web, At: 160 * time.Second, Cut: true}, "200, cut short: web gives up at 160s"},
		{Outcome{Status: 101, Error: "gives up", From: w.web, At: 160 * time.Second, Cut: true}, "101, then closed: web gives up at 160s"},
		{Outcome{Status: 101, Error: "cut short", From: w.proxy, At: time.Second, Cut: true}, "101 from proxy, then closed at 1s"},
		{Outcome{Status: 200, Error: "cut short", From: w.proxy, At: time.Second, Cut: true}, "200 from proxy, cut short at 1s"},
		{Outcome{Error: "its own error", From: w.api, At: time.Second}, "api's own error at 1s"},
		{Outcome{Error: "connection refused", From: w.edge}, "connection refused by edge at 0s"},
		{Outcome{Error: "never ends", At: Never}, "never ends"},
	} {
		if got := tc.o.Text(); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestATimeIsShownInThreeDecimals(t *testing.T) {
	for d, want := range map[time.Duration]string{
		5819458007:              "5.819s",
		-5819458007:             "-5.819s",
		5819500000:              "5.82s",
		819458007:               "819.458ms",
		999999999:               "1s",
		1500:                    "1.5µs",
		999:                     "999ns",
		0:                       "0s",
		Never:                   "never",
		90 * time.Second:        "90s",
		1500 * time.Millisecond: "1.5s",
	} {
		if got := Shown(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}
