package check_test

import (
	"strings"
	"testing"
)

// A limit that is sized for a stream holds on what shares its client.
func TestALimitThatAStreamNeedsSaysWhatElseItHoldsOn(t *testing.T) {
	for routes, want := range map[string]string{
		`"GET /u": {}`:                                           "over what the stream needs; it holds on GET /u as well, where a shorter one would do",
		`"GET /u": {}, "GET /v": {}`:                             "; it holds on GET /u, GET /v as well",
		`"GET /d": response: stream: total: "1h"`:                "over what the stream needs",
		`"GET /a": {}, "GET /b": {}, "GET /c": {}, "GET /d": {}`: "; it holds on 4 other routes as well",
	} {
		got := ""
		for _, f := range findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	front: app: {
		relay: true
		server: gohttp: {}
		clients: back: gohttp: DefaultTransport: Dialer: Timeout: "1s"
	}
	back: external: idleKeepalive: "300s"
}
path: ["front", "back"]
routes: {"GET /s": response: stream: {first: "1s", silence: "10s", total: "2h"}, `+routes+`}
`) {
			for _, fix := range f.Fixes {
				if f.Rule == "no-limit" && strings.Contains(fix.Message, "7202s") {
					got = fix.After
				}
			}
		}
		if !strings.Contains(got, want) || !strings.Contains(want, "as well") && strings.Contains(got, "as well") {
			t.Errorf("%s: %q, want %q", routes, got, want)
		}
	}
}
