package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// The worst case of NGINX behind an upload is a write that waits, then a header that does:
// no one fault is that, and a trickle that it never ends is something else.
func TestATraceOfAnErrorThatComesTooLateIsOneInWhichItComes(t *testing.T) {
	for _, row := range []struct {
		says, proxy, route string
		want               chain.FaultKind // of the trace; "" is none
		message            string
	}{
		{"an upload, where only a trickle reaches the outer limit", `proxy_read_timeout: "30s"`,
			`"POST /up": {path: ["web", "edge", "proxy", "app"], request: upload: {size: "100MB", rate: "1MB"}}`, "", "edge answers 504 at 60s, before proxy's own error at 92s"},
		{"a read limit that is over after the outer one", `proxy_read_timeout: "70s"`,
			`"POST /up": path: ["web", "edge", "proxy", "app"]`, chain.Silent, "edge answers 504 at 60s, before proxy's own error at 72s"},
	} {
		s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 400_000
	edge: alb: idle_timeout: 60
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "2s", `+row.proxy+`, proxy_next_upstream: "off"}}
	app: external: {}
}
routes: `+row.route+"\n")
		fs := check.Find("error-room").Run(s)
		if len(fs) != 1 || !strings.Contains(fs[0].Message, row.message) {
			t.Errorf("%s: %+v", row.says, fs)
			continue
		}
		var got chain.FaultKind
		if fs[0].Trace != nil {
			got = fs[0].Trace.Fault.Kind
		}
		if got != row.want {
			t.Errorf("%s: the trace is of %q, want %q", row.says, got, row.want)
		}
	}
}
