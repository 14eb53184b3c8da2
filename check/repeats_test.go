package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestTheTraceOfARepeatShowsTheOneThatIsFound(t *testing.T) {
	fs := findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {server: custom: {}, clients: pay: {okhttp: {}, wrap: [{resilience4jRetry: retryExceptions: ["503"]}]}}
	pay: external: {}
}
routes: "POST /": path: ["api", "pay"]
`)
	shown := map[string]string{}
	for _, f := range fs {
		if f.Rule != "retry-unsafe" || f.Trace == nil {
			continue
		}
		for _, e := range f.Trace.Events {
			if e.Kind == chain.EvRetries {
				shown[f.Setting[strings.LastIndex(f.Setting, ".")+1:]] = string(e.Cond)
			}
		}
	}
	if shown["okhttp"] != "stale" || shown["retryExceptions"] != "503" && shown["maxAttempts"] != "503" {
		t.Errorf("%v", shown)
	}
}

func TestAttemptsAreInVainOnlyWhereSomebodySaysWhatTheCalleeTakes(t *testing.T) {
	for _, f := range findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: app: {server: custom: {}, clients: ng: gohttp: Timeout: "20s"}
	ng: nginx: {version: "1.28.0", server: {proxy_read_timeout: 0, proxy_connect_timeout: "5"}, upstream: api: server: ["a:80", "b:80"]}
	api: app: server: gohttp: {}
}
routes: "GET /x": path: ["web", "ng", "api"]
`) {
		if strings.Contains(f.Message, "none can succeed") {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
}
