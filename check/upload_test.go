package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// uploaded is an upload of 60 s that NGINX passes to an app of two addresses.
func uploaded(t *testing.T, timeout, buffering string) *chain.Stack {
	return stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: `+timeout+`
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_send_timeout: "10s", proxy_read_timeout: "10s", proxy_next_upstream: "error timeout non_idempotent", `+buffering+`}
		upstream: files: {server: ["10.0.0.1:80", "10.0.0.2:80"], max_fails: 0}
	}
	files: external: {}
}
routes: "POST /files": {path: ["web", "proxy", "files"], request: upload: {size: "60MB", rate: "1MB"}}
`)
}

func TestTheTimeOfAnUploadIsSpentBeforeTheUpstreamsTimersStart(t *testing.T) {
	r := uploaded(t, "100_000", "").Routes[0]
	proxy := r.Root.Calls()[0].To
	for _, row := range []struct {
		fault chain.FaultKind
		want  string
	}{{chain.Blackhole, "504 from proxy at 64s"}, {chain.Silent, "504 from proxy at 80s"}} {
		got := chain.Play(r, chain.Fault{Kind: row.fault, Call: proxy.Calls()[0], From: proxy}).Outcome
		if got.Text() != row.want {
			t.Errorf("%s: %s, want %s", row.fault, got.Text(), row.want)
		}
	}
	// 60 s on the way and two attempts of 22 s: 104 s and the room for an error.
	for timeout, want := range map[string]int{"104_500": 1, "105_500": 0} {
		s := uploaded(t, timeout, "")
		if got := append(check.Find("error-room").Run(s), check.Find("retry-budget").Run(s)...); len(got) != want {
			t.Errorf("timeout %s: %+v", timeout, got)
		}
	}
}

func TestABodyThatIsNotCollectedIsNotSentTwice(t *testing.T) {
	for buffering, want := range map[string]string{``: "504 from proxy at 80s", `proxy_request_buffering: "off"`: "504 from proxy at 70s"} {
		r := uploaded(t, "100_000", buffering).Routes[0]
		proxy := r.Root.Calls()[0].To
		silent := chain.Play(r, chain.Fault{Kind: chain.Silent, Call: proxy.Calls()[0], From: proxy})
		dead := chain.Play(r, chain.Fault{Kind: chain.Blackhole, Call: proxy.Calls()[0], From: proxy})
		if !strings.Contains(silent.Outcome.Text(), want) || dead.Outcome.Text() != "504 from proxy at 64s" {
			t.Errorf("%s: silent %s, blackhole %s", buffering, silent.Outcome.Text(), dead.Outcome.Text())
		}
	}
}
