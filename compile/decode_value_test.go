package compile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
)

// decodeClean decodes a case that must have no error.
func decodeClean(t *testing.T, text string, set map[string]string) *Decoded {
	t.Helper()
	d, errs := decodeText(t, aroundHead+text+aroundTail, set)
	if len(errs) > 0 {
		t.Fatal(shownErrors(errs))
	}
	return d
}

func TestDecodeTakesAValueInItsOwnNotation(t *testing.T) {
	d := decodeClean(t, `layers: {
	web: browser: fetch: signal: timeout: 160_000
	edge: alb: idle_timeout: 145
	proxy: nginx: {
		location: "/v1/": proxy_read_timeout: "1m 30s"
		server: {proxy_send_timeout: 10, proxy_next_upstream: ["error", "http_503"], proxy_buffering: "off"}
		upstream: api: server: ["10.0.1.11:80", {address: "10.0.1.12:80", max_fails: 3}]
	}
	auth: endpoint: announcesKeepAlive: false
}
routes: "GET /": {tps: 0.5, within: "2s"}`, nil)
	for _, c := range []struct {
		setting string
		raw     any
		text    string
		d       time.Duration
		id      string
	}{
		{"web.browser.fetch.signal.timeout", int64(160_000), "160000", 160 * time.Second, "browser.fetch.signal.timeout"},
		{"edge.alb.idle_timeout", int64(145), "145", 145 * time.Second, "alb.idle_timeout"},
		{`proxy.nginx.location."/v1/".proxy_read_timeout`, "1m 30s", "1m 30s", 90 * time.Second, "nginx.proxy_read_timeout"},
		{"proxy.nginx.server.proxy_send_timeout", int64(10), "10", 10 * time.Second, "nginx.proxy_send_timeout"},
		{"proxy.nginx.server.proxy_next_upstream", []string{"error", "http_503"}, "error http_503", 0, "nginx.proxy_next_upstream"},
		{"proxy.nginx.server.proxy_buffering", "off", "off", 0, "nginx.proxy_buffering"},
		{"proxy.nginx.upstream.api.server", []string{"10.0.1.11:80", "10.0.1.12:80 max_fails=3"}, "10.0.1.11:80 10.0.1.12:80 max_fails=3", 0, "nginx.upstream.server"},
		{"auth.endpoint.announcesKeepAlive", false, "false", 0, "layer.endpoint.announcesKeepAlive"},
		{`routes."GET /".tps`, 0.5, "0.5", 0, "route.tps"},
		{`routes."GET /".within`, "2s", "2s", 2 * time.Second, "route.within"},
	} {
		v := valueAt(t, d, c.setting)
		if diff := cmp.Diff(c.raw, v.Raw); diff != "" || v.Text != c.text || v.D != c.d || v.Origin.ID != c.id || v.Origin.Source != chain.Written {
			t.Errorf("%s: %#v %q %s %+v", c.setting, v.Raw, v.Text, v.D, v.Origin)
		}
	}
}

func TestDecodeSaysWhereAValueStandsAndHowItIsChanged(t *testing.T) {
	text := `layers: proxy: nginx: server: {
	proxy_read_timeout: "125s"
	proxy_send_timeout: 10
	proxy_next_upstream_tries: 1
}
layers: edge: alb: idle_timeout: 145`
	d := decodeClean(t, text, nil)
	lines := strings.Split(aroundHead+text, "\n")
	for _, c := range []struct{ setting, literal, edit string }{
		{"proxy.nginx.server.proxy_read_timeout", `"125s"`, `"96s"`},
		{"proxy.nginx.server.proxy_send_timeout", `10`, `"96s"`},
		{"proxy.nginx.server.proxy_next_upstream_tries", `1`, `2`},
		{"edge.alb.idle_timeout", `145`, `96`},
	} {
		v := valueAt(t, d, c.setting)
		r := v.Origin.Pos
		if got := lines[r.Line-1][r.Column-1 : r.EndColumn-1]; got != c.literal || r.Line != r.EndLine || r.File != "stack.cue" {
			t.Errorf("%s stands at %v, which is %s", c.setting, r, got)
		}
		p := v.Origin.Place
		if p == nil || p.Range != r {
			t.Fatalf("%s: place %+v", c.setting, p)
		}
		text := "2"
		if v.Field.Notation != nil {
			text, _ = p.Notation.Format(96 * time.Second)
		}
		if got := p.Edit(text).NewText; got != c.edit {
			t.Errorf("%s: edit %s, want %s", c.setting, got, c.edit)
		}
	}
}

func TestDecodeKeepsInjectedValuesHonest(t *testing.T) {
	const text = `layers: edge: alb: idle_timeout: int @env(IDLE)
layers: proxy: nginx: server: {
	proxy_read_timeout: *"2s" | string @env(READ)
	proxy_send_timeout: string @from("terraform: var.send")
	proxy_connect_timeout: "3s" @estimate("nobody has measured it")
}`
	d := decodeClean(t, text, nil)
	v := valueAt(t, d, "edge.alb.idle_timeout")
	if v.Raw != nil || v.Inject != "IDLE" || v.Origin.Source != chain.Injected || v.Origin.Place != nil {
		t.Errorf("%+v", v)
	}
	v = valueAt(t, d, "proxy.nginx.server.proxy_read_timeout")
	if v.Raw != "2s" || v.D != 2*time.Second || v.Inject != "READ" || v.Origin.Source != chain.Written || v.Origin.Place == nil {
		t.Errorf("%+v", v)
	}
	if v = valueAt(t, d, "proxy.nginx.server.proxy_send_timeout"); v.Inject != "terraform: var.send" || v.Raw != nil {
		t.Errorf("%+v", v)
	}
	if v = valueAt(t, d, "proxy.nginx.server.proxy_connect_timeout"); v.Origin.Estimate != "nobody has measured it" || v.D != 3*time.Second {
		t.Errorf("%+v", v)
	}
	d = decodeClean(t, text, map[string]string{"IDLE": "61", "READ": "7s", "terraform: var.send": "8s"})
	for setting, want := range map[string]time.Duration{
		"edge.alb.idle_timeout": 61 * time.Second, "proxy.nginx.server.proxy_read_timeout": 7 * time.Second, "proxy.nginx.server.proxy_send_timeout": 8 * time.Second,
	} {
		if v := valueAt(t, d, setting); v.D != want || v.Origin.Source != chain.Injected || v.Raw == nil || v.Origin.Place != nil {
			t.Errorf("%s: %+v", setting, v)
		}
	}
	_, errs := decodeText(t, aroundHead+text+aroundTail, map[string]string{"IDLE": "61s"})
	if got, want := shownErrors(errs), "2:34: idle_timeout, set by IDLE, is a whole number of seconds; write 61\n"; got != want {
		t.Error(got)
	}
}

func TestDecodeWalksValuesNotSyntax(t *testing.T) {
	d := decodeClean(t, `_slow: "90s"
#Base: {proxy_send_timeout: "11s", ...}
let room = 3
layers: proxy: nginx: {
	server: #Base & {proxy_read_timeout: _slow, proxy_connect_timeout: "\(room)s"}
	upstream: {for k in ["api", "auth"] {(k): keepalive: 8}}
	_hidden: 1
	#def: 2
	optional?: 3
}
if room > 2 {layers: edge: alb: idle_timeout: 70}`, nil)
	v := valueAt(t, d, "proxy.nginx.server.proxy_read_timeout")
	if v.D != 90*time.Second || v.Origin.Pos.Line != 2 || v.Origin.Used.Line != 6 || v.Origin.Shared.Line != 0 || v.Origin.Place == nil || v.Origin.Place.Range != v.Origin.Pos {
		t.Errorf("%+v", v.Origin)
	}
	if v = valueAt(t, d, "proxy.nginx.server.proxy_connect_timeout"); v.D != 3*time.Second || v.Origin.Place != nil {
		t.Errorf("%+v", v.Origin)
	}
	for _, setting := range []string{"proxy.nginx.upstream.api.keepalive", "proxy.nginx.upstream.auth.keepalive", "edge.alb.idle_timeout", "proxy.nginx.server.proxy_send_timeout"} {
		if v := valueAt(t, d, setting); v.Origin.Pos.Line == 0 {
			t.Errorf("%+v", v.Origin)
		}
	}
}

func TestDecodeReadsYAMLAndJSON(t *testing.T) {
	const yaml = `tchain: v1
name: t
layers:
  web: {browser: {}}
  proxy:
    nginx:
      server:
        proxy_read_timeout: 90s
        proxy_send_timeout: "10s"
        proxy_connect_timeout: 5
routes:
  GET /:
    path: [web, proxy]
`
	d, errs := decodeNamed(t, "stack.yaml", yaml, nil)
	if len(errs) > 0 {
		t.Fatal(shownErrors(errs))
	}
	for setting, edit := range map[string]string{
		"proxy.nginx.server.proxy_read_timeout": "96s", "proxy.nginx.server.proxy_send_timeout": `"96s"`, "proxy.nginx.server.proxy_connect_timeout": "96s",
	} {
		v := valueAt(t, d, setting)
		if v.Origin.Place == nil || v.Origin.Place.Edit("96s").NewText != edit || v.Origin.Pos.Line == 0 {
			t.Errorf("%s: %+v", setting, v.Origin.Place)
		}
	}
	_, errs = decodeNamed(t, "stack.json", `{"tchain": "v1", "name": "t",
"layers": {"web": {"browser": {}}, "proxy": {"nginx": {"server": {"proxy_read_timout": "9s"}}}},
"routes": {"GET /": {"path": ["web", "proxy"]}}}`, nil)
	if got, want := shownErrors(errs), "2:67: unknown setting \"proxy_read_timout\" in nginx server; did you mean proxy_read_timeout?\n"; got != want {
		t.Error(got)
	}
}
