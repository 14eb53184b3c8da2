package check_test

import (
	"strings"
	"testing"
	"time"

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
	for buffering, want := range map[string][2]string{
		``:                               {"504 from proxy at 80s", "504 from proxy at 64s"},
		`proxy_request_buffering: "off"`: {"504 from proxy at 70s", "504 from proxy at 4s"}, // it connects with the header
	} {
		r := uploaded(t, "100_000", buffering).Routes[0]
		proxy := r.Root.Calls()[0].To
		silent := chain.Play(r, chain.Fault{Kind: chain.Silent, Call: proxy.Calls()[0], From: proxy})
		dead := chain.Play(r, chain.Fault{Kind: chain.Blackhole, Call: proxy.Calls()[0], From: proxy})
		if got := [2]string{silent.Outcome.Text(), dead.Outcome.Text()}; got != want {
			t.Errorf("%s: silent and blackhole %q, want %q", buffering, got, want)
		}
	}
}

// posted is an upload of 100 s to an app of this server.
func posted(t *testing.T, server string) *chain.Stack {
	return stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 200_000
	api: app: {server: `+server+`, work: max: "5s"}
}
routes: "POST /up": {path: ["web", "api"], request: upload: {size: "100MB", rate: "1MB"}}
`)
}

func TestAServersLimitThatRunsFromTheHeaderCountsTheUpload(t *testing.T) {
	for _, row := range []struct{ server, plays, rule, says string }{
		{`gohttp: WriteTimeout: "40s"`, "connection closed by api at 105s", "upload-cut", "api's answer is lost: WriteTimeout 40s is over before the upload of POST /up is there, which takes 100s"},
		{`gohttp: WriteTimeout: "103s"`, "connection closed by api at 105s", "error-room", "api's answer at 105s is lost: WriteTimeout 103s is over by then"},
		{`gohttp: WriteTimeout: "106s"`, "200 from api at 105s", "", ""},
		{`gohttp: TimeoutHandler: "40s"`, "503 from api at 40s", "upload-cut", "api answers 503 at 40s, and the upload of POST /up alone takes 100s"},
		{`gohttp: TimeoutHandler: "106s"`, "200 from api at 105s", "", ""},
		{`gohttp: ReadTimeout: "30s"`, "api's own error at 30s", "upload-cut", "api gives up at 30s"},
		{`gunicorn: timeout: 30`, "500 from api at 30s", "upload-cut", "api answers 500 at 30s, and the upload of POST /up alone takes 100s; it does so if its version is 22 or later"},
		{`gunicorn: {version: "23.0.0", timeout: 30}`, "500 from api at 30s", "upload-cut", "api answers 500 at 30s"},
		{`gunicorn: {version: "21.2.0", timeout: 103}`, "connection closed by api at 103s", "error-room", "api kills the worker at 103s, before its own answer at 105s"},
		{`uwsgi: harakiri: 30`, "connection closed by api at 30s", "upload-cut", "api kills the worker at 30s"},
		{`node: timeout: 30_000`, "200 from api at 105s", "", ""}, // a silence, and the body flows
	} {
		s := posted(t, row.server)
		r := s.Routes[0]
		if got := chain.Play(r, chain.Fault{Kind: chain.Slow, Call: r.Root.Calls()[0], From: r.Root}).Outcome.Text(); got != row.plays {
			t.Errorf("%s: %s, want %s", row.server, got, row.plays)
		}
		for _, rule := range []string{"upload-cut", "error-room"} {
			got := of(check.Run(s), rule).Message
			if want := row.says; rule == row.rule && !strings.Contains(got, want) || rule != row.rule && got != "" {
				t.Errorf("%s: %s %q, want %s %q", row.server, rule, got, row.rule, want)
			}
		}
	}
}

func TestAnAppsDeadlineBeginsWithTheHeaderOfAnUpload(t *testing.T) {
	for total, want := range map[string][2]string{
		"20s":  {"api's own error at 101s", "101s"}, // nothing is left for the call, but the reserve
		"104s": {"api's own error at 104s", "104s"},
		"200s": {"api's own error at 106s", "106s"},
	} {
		s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 300_000
	api: app: {server: gohttp: {}, deadline: {total: "`+total+`", perCall: "5s", reserve: "1s", enforced: true}, clients: a: gohttp: Timeout: "9s"}
	a: external: {}
}
routes: "POST /up": {path: ["web", "api", "a"], request: upload: {size: "100MB", rate: "1MB"}}
`)
		r := s.Routes[0]
		up := r.Root.Calls()[0]
		api := up.To
		got := chain.Play(r, chain.Fault{Kind: chain.Silent, Call: api.Calls()[0], From: api}).Outcome.Text()
		worst := chain.WorstAnswer(r, r.Root, up, up.Limits()[0]).Total
		if got != want[0] || chain.Format(worst) != want[1] {
			t.Errorf("%s: %s, and at worst %s; want %v", total, got, chain.Format(worst), want)
		}
	}
}

func TestAnUploadEndsInEveryTraceWhereALimitOnItsWayCutsIt(t *testing.T) {
	r := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 400_000
	edge: cloudflare: {}
	t: traefik: {}
	app: app: server: gohttp: {ReadTimeout: "30s", WriteTimeout: "40s"}
}
routes: "POST /up": {path: ["web", "edge", "t", "app"], request: upload: {size: "200MB", rate: "1MB"}}
`).Routes[0]
	for _, tr := range chain.PlayAll(r) {
		if tr.Fault.Call.To.Layer != "app" {
			continue // a layer that is at fault keeps no promise, and the readTimeout of 60s is t's
		}
		if tr.Outcome.At > 60*time.Second {
			t.Errorf("%s at %s: %s", tr.Fault.Kind, tr.Fault.Call.To.Layer, tr.Outcome.Text())
		}
		for _, e := range tr.Events {
			if e.Kind == chain.EvSent && e.Node == r.Root {
				t.Errorf("%s at %s: the whole request is sent", tr.Fault.Kind, tr.Fault.Call.To.Layer)
			}
		}
	}
}
