package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// socket is a WebSocket over what stands between the person and the app.
func socket(t *testing.T, layers string) *chain.Stack {
	return stackOf(t, `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	`+layers+`
}
routes: "GET /chat": {path: ["web", "edge", "chat"], protocol: "websocket", response: websocket: {silence: "10m", ping: "40s"}}
`)
}

func TestWhatStartsWithTheWholeRequestEndsNoUpgradedConnection(t *testing.T) {
	s := socket(t, `edge: envoy: route: timeout: "15s"
	chat: app: {server: custom: {}, clients: {}}`)
	r := s.Routes[0]
	edge := r.Root.Calls()[0].To
	for kind, want := range map[chain.FaultKind]string{
		chain.Silent: "504 from edge at 15s", // the answer to the upgrade
		chain.Stall:  "then closed at 300s",  // stream_idle_timeout
	} {
		if got := chain.Play(r, chain.Fault{Kind: kind, Call: edge.Calls()[0], From: edge}).Outcome.Text(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
	for _, x := range check.NotChecked(s) {
		if strings.Contains(x.Reason, "edge's") {
			t.Errorf("not checked: %s", x.Reason)
		}
	}
}

func TestGosWriteTimeoutEndsNoHijackedConnection(t *testing.T) {
	s := socket(t, `edge: custom: {call: connect: "1s"}
	chat: app: {server: gohttp: WriteTimeout: "30s", clients: {}}`)
	for _, x := range check.NotChecked(s) {
		if strings.Contains(x.Reason, "WriteTimeout") {
			t.Errorf("not checked: %s", x.Reason)
		}
	}
	chat := s.Routes[0].Root.Calls()[0].To.Calls()[0].To
	if l, ok := chat.ServeLimit(chain.WriteTotal); ok {
		t.Errorf("the upgraded connection has %s", l.Origin.Setting)
	}
}

func TestWhereNothingIsUpgradedTheTraceHasNo101(t *testing.T) {
	for layers, want := range map[string]string{
		`edge: nginx: {version: "1.28.0", server: proxy_http_version: "1.1"}`:                                                                                                  "400",
		`edge: nginx: {version: "1.28.0", server: {proxy_http_version: "1.1", proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, proxy_read_timeout: "1s"}}`: "101",
	} {
		s := socket(t, layers+"\n\tchat: app: {server: custom: {}, clients: {}}")
		r := s.Routes[0]
		edge := r.Root.Calls()[0].To
		if got := chain.Play(r, chain.Fault{Kind: chain.Stall, Call: edge.Calls()[0], From: edge}).Outcome.Text(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", layers, got, want)
		}
	}
}

func TestNoTraceEndsAnUpgradedConnectionThatNeverOpens(t *testing.T) {
	const plain = `edge: nginx: {version: "1.28.0", server: {proxy_http_version: "1.1", proxy_read_timeout: "30s"}}`
	const asking = `edge: nginx: {version: "1.28.0", server: {proxy_http_version: "1.1", proxy_read_timeout: "30s", proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}}}`
	for _, row := range []struct {
		name, layers string
		once         bool // it has to open first
	}{
		{"a proxy that does not ask for it", plain + "\n\tchat: app: {server: custom: {}, clients: {}}", true},
		{"an app that keeps its answer until it is whole", asking + "\n\tchat: app: {server: gohttp: TimeoutHandler: \"9s\", clients: {}}", true},
		{"one that opens", asking + "\n\tchat: app: {server: gohttp: {}, clients: {}}", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			found := false
			for _, f := range check.Run(socket(t, row.layers)) {
				if f.Rule != "stream-cut" || !strings.Contains(f.Message, "edge closes the upgraded connection at 30s") {
					continue
				}
				found = true
				if once := strings.Contains(f.Message, ", once it has opened, and"); once != row.once || (f.Trace == nil && f.Outcome == nil) != row.once {
					t.Errorf("%q with %v and %v", f.Message, f.Trace, f.Outcome)
				}
			}
			if !found {
				t.Error("the silence is not compared")
			}
		})
	}
}
