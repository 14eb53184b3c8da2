package compile

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestAPagesWebSocketHasNoAbortSignalAndAHandshakeLimit(t *testing.T) {
	const stack = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: signal: timeout: 9000
	chat: app: server: gohttp: {}
}
routes: "GET /ws": {path: ["web", "chat"]`
	for response, want := range map[string][]string{"": {"timeout"}, ", response: websocket: {}": {"webSocketHandshake"}, `, protocol: "websocket"`: {"webSocketHandshake"}} {
		s, errs := othersEach(t, stack+response+"}")
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		var got []string
		for _, l := range s.Routes[0].Root.Calls()[0].Limits() {
			if l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline {
				got = append(got, l.Origin.Name)
			}
		}
		if len(got) != len(want) || got[0] != want[0] {
			t.Errorf("%q: %v, want %v", response, got, want)
		}
	}
}
