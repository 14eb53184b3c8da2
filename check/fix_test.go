package check_test

import (
	"context"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

func TestAFixGivesNoRouteAFindingThatItHadNot(t *testing.T) {
	found := check.Finding{Rule: "error-room", Severity: check.Error, Setting: "a", Routes: []string{"GET /x"}}
	warned := check.Finding{Rule: "stream-cut", Severity: check.Warning, Setting: "b", Routes: []string{"GET /y", "GET /z"}}
	as := func(f check.Finding, sev check.Severity, routes ...string) check.Finding {
		f.Severity, f.Routes = sev, routes
		return f
	}
	for name, row := range map[string]struct {
		after []check.Finding
		want  string // "" for a fix that is not offered
	}{
		"nothing is left": {nil, "then it is well"},
		"the same routes have another finding still":   {[]check.Finding{warned}, "then it is well"},
		"a route that had it has it alone":             {[]check.Finding{as(warned, check.Warning, "GET /z")}, "then it is well"},
		"it is less than it was":                       {[]check.Finding{as(warned, check.Info, "GET /y", "GET /x")}, "then it is well"},
		"one that was well has it too":                 {[]check.Finding{as(warned, check.Warning, "GET /y", "GET /z", "GET /x")}, "then it is well; stream-cut then warns"},
		"it is an error now":                           {[]check.Finding{as(warned, check.Error, "GET /y")}, ""},
		"one that was well is wrong":                   {[]check.Finding{as(warned, check.Error, "GET /y", "GET /x")}, ""},
		"there is a warning of another setting":        {[]check.Finding{{Rule: "unit-trap", Severity: check.Warning, Setting: "a", Routes: []string{"GET /x"}}}, "then it is well; unit-trap then warns"},
		"there is something that is only good to know": {[]check.Finding{{Rule: "never-fires", Severity: check.Info, Setting: "a", Routes: []string{"GET /x"}}}, "then it is well"},
		"it is what it was":                            {[]check.Finding{found}, ""},
	} {
		fs := []check.Finding{found, warned}
		fs[0].Fixes = []check.Fix{{Message: "it", After: "then it is well"}}
		if err := check.Verify(context.Background(), fs, func([]chain.Edit) ([]check.Finding, error) { return row.after, nil }); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, fix := range fs[0].Fixes {
			got += fix.After
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// pinged is a WebSocket that pings, beside one that does not.
const pinged = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: {}
	h: haproxy: {version: "3.0", defaults: timeout: {connect: "5s", client: "30s", server: "30s", tunnel: "1h"}, backend: e: server: ["10.0.0.1:80"]}
	e: envoy: {route: {timeout: "0s"}, cluster: api: connect_timeout: "1s"}
	api: app: server: node: {version: "22.10.0", keepAliveTimeout: 3_700_000}
}
routes: {
	"GET /ws": {path: ["web", "h", "e", "api"], protocol: "websocket", response: websocket: {silence: "20m", ping: "4m"}}
	"GET /ws2": {path: ["web", "h", "e", "api"], protocol: "websocket", response: websocket: {silence: "20m"}}
}
`

func TestTheLinesThatKeepAnUpstreamConnectionAreOffered(t *testing.T) {
	kept := strings.ReplaceAll(headerless, `"50s"`, `"90s"`)
	for name, row := range map[string]struct{ stack, want string }{
		"the header line is forgotten": {kept, `line 8 add proxy_set_header: Connection: ""`},
		"it stands in the server, and the location has lines of its own": {
			strings.Replace(kept, `proxy_http_version: "1.1"}`, "proxy_http_version: \"1.1\", proxy_set_header: Connection: \"\"}\n\t\tlocation: \"/\": proxy_set_header: Host: \"$host\"", 1),
			`line 10 add location: "/": proxy_set_header: Connection: ""`,
		},
		"the protocol is, too":       {strings.Replace(kept, `, proxy_http_version: "1.1"`, "", 1), `line 8 add proxy_http_version: "1.1", line 8 add proxy_set_header: Connection: ""`},
		"the header line says close": {strings.Replace(kept, `"1.1"}`, `"1.1", proxy_set_header: Connection: "close"}`, 1), `line 8 "close" → ""`},
	} {
		var got []string
		for _, f := range findings(t, row.stack) {
			for _, fix := range f.Fixes {
				if f.Rule == "ignored-value" {
					got = append(got, fix.Message)
				}
			}
		}
		if len(got) != 1 || got[0] != row.want {
			t.Errorf("%s: offered %q, want %q", name, got, row.want)
		}
	}
}

func TestAFixThatWouldCutARouteThatIsWellIsNotOffered(t *testing.T) {
	for _, f := range findings(t, pinged) {
		for _, fix := range f.Fixes {
			if strings.Contains(fix.Message, `stream_idle_timeout: "28s"`) {
				t.Errorf("%s: %s", f.Rule, fix.Message)
			}
		}
	}
}

func TestALimitThatIsAddedIsWhatAPersonWouldMean(t *testing.T) {
	f := of(findings(t, `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: {}
	api: app: {server: gohttp: {}, clients: a: gohttp: Timeout: "500ms"}
	a: external: {}
}
routes: "GET /x": path: ["web", "api", "a"]
`), "no-limit")
	if len(f.Fixes) != 1 || f.Fixes[0].Message != "line 5 add signal: timeout: 1000" {
		t.Errorf("%+v", f.Fixes)
	}
}
