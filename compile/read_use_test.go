package compile

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const referring = `package a
tchain: "v1"
_t: "9s"
_n: server: proxy_read_timeout: "9s"
_m: {server: proxy_read_timeout: "8s", version: "1"}
#Base: {server: {proxy_send_timeout: "7s", ...}, ...}
_k: _n & {server: proxy_send_timeout: "5s"}
layers: {
	a: nginx: _n & {version: "1.28"}
	b: nginx: server: proxy_read_timeout: _t
	c: nginx: {_n, version: "1.28"}
	d: nginx: _k & {
		version: "1.28"
	}
	e: nginx: #Base & _n & {version: "1"}
	f: _layers.x
	g: nginx: {_m, #Base, server: proxy_buffering: "on"}
	h: nginx: server: _n.server & {proxy_send_timeout: _t}
	i: nginx: {for k, v in _n {(k): v}}
	if true {j: nginx: _n}
	k: nginx: server: proxy_read_timeout: *_t | string
	l: nginx: server: proxy_read_timeout: string & _t
	m: nginx: server: proxy_read_timeout: "\(_t)"
}
_layers: x: nginx: server: proxy_read_timeout: _t
routes: {}
`

func TestAValueThatAReferenceBringsStandsAtTheReference(t *testing.T) {
	s := mustRead(t, "a.cue", referring)
	for _, tt := range []struct{ layer, setting, at, shared string }{
		{"a", "proxy_read_timeout", `9:12 _n`, `4:33 "9s"`},
		{"b", "proxy_read_timeout", `10:40 _t`, `3:5 "9s"`},
		{"c", "proxy_read_timeout", `11:13 _n`, `4:33 "9s"`},
		{"d", "proxy_read_timeout", `12:12 _k`, `4:33 "9s"`},
		{"d", "proxy_send_timeout", `12:12 _k`, `7:39 "5s"`},
		{"e", "proxy_read_timeout", `15:20 _n`, `4:33 "9s"`},
		{"e", "proxy_send_timeout", `15:12 #Base`, `6:38 "7s"`},
		{"f", "proxy_read_timeout", `16:5 _layers.x`, `3:5 "9s"`},
		{"g", "proxy_send_timeout", `17:17 #Base`, `6:38 "7s"`},
		{"g", "proxy_read_timeout", `17:13 _m`, `5:34 "8s"`},
		{"h", "proxy_read_timeout", `18:20 _n.server`, `4:33 "9s"`},
		{"h", "proxy_send_timeout", `18:53 _t`, `3:5 "9s"`},
		{"i", "proxy_read_timeout", `19:12 {for k, v in _n {(k): v}}`, `4:33 "9s"`},
		{"j", "proxy_read_timeout", `20:21 _n`, `4:33 "9s"`},
		{"k", "proxy_read_timeout", `21:41 _t`, `3:5 "9s"`},
		{"l", "proxy_read_timeout", `22:49 _t`, `3:5 "9s"`},
		{"m", "proxy_read_timeout", `23:40 "\(_t)"`, ""},
	} {
		path := []string{"layers", tt.layer, "nginx", "server", tt.setting}
		want := []string{"a.cue:" + tt.at, "nowhere"}
		if tt.shared != "" {
			want[1] = "a.cue:" + tt.shared
		}
		if diff := cmp.Diff(want, []string{pointed(s, s.at(path...)), pointed(s, s.shared(path...))}); diff != "" {
			t.Errorf("%s %s: at, shared (-want +got):\n%s", tt.layer, tt.setting, diff)
		}
	}
}

func TestAFixOfASharedValueIsOfferedWhereItStands(t *testing.T) {
	const text = `_t: "90s"
_n: server: proxy_send_timeout: 30
layers: proxy: nginx: _n & {server: {proxy_read_timeout: _t, proxy_connect_timeout: "\(_t)"}}`
	d := decodeClean(t, text, nil)
	lines := strings.Split(aroundHead+text, "\n")
	for setting, want := range map[string]string{"proxy_read_timeout": `2 "90s" "96s"`, "proxy_send_timeout": `3 30 "96s"`} {
		p := valueAt(t, d, "proxy.nginx.server."+setting).Origin.Place
		if p == nil {
			t.Errorf("%s has no place", setting)
			continue
		}
		r := p.Range
		got := strings.Join([]string{strconv.Itoa(r.Line), lines[r.Line-1][r.Column-1 : r.EndColumn-1], p.Edit("96s").NewText}, " ")
		if got != want {
			t.Errorf("%s: %s, want %s", setting, got, want)
		}
	}
	if p := valueAt(t, d, "proxy.nginx.server.proxy_connect_timeout").Origin.Place; p != nil {
		t.Errorf("what is made of another value has a place: %v", p)
	}
}

func TestAFixDoesNotChangeAnImportedPackage(t *testing.T) {
	inDir(t, `
-- cue.mod/module.cue --
module: "acme.com/x"
language: version: "v0.9.0"
-- platform/edge.cue --
package platform
edge: alb: idle_timeout: 145
-- pay/stack.cue --
package pay
import "acme.com/x/platform"
tchain: "v1"
name: "pay"
layers: {web: browser: {}, edge: platform.edge, api: app: {}}
routes: "GET /": path: ["web", "edge", "api"]
`)
	targets, _ := find([]string{"pay"}, Options{})
	s, errs := (&reader{schema: readSchema}).read(targets[0])
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	d, errs := decode(s, testCatalogue())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	o := valueAt(t, d, "edge.alb.idle_timeout").Origin
	if pointed(s, o.Pos) != "pay/stack.cue:5:34 platform.edge" || pointed(s, o.Shared) != "platform/edge.cue:2:26 145" || o.Place != nil {
		t.Errorf("at %s, shared %s, place %v", pointed(s, o.Pos), pointed(s, o.Shared), o.Place)
	}
}

func TestAValueStandsWhereItWouldBeEdited(t *testing.T) {
	const text = `_t: "90s"
_pool: {server: proxy_send_timeout: "30s"}
layers: proxy: nginx: _pool & {server: {proxy_read_timeout: _t, proxy_connect_timeout: "\(_t)", client_body_timeout: "20s"}}`
	d := decodeClean(t, text, nil)
	for setting, want := range map[string]string{
		"proxy_read_timeout":    "2:5, used at 4:61",
		"proxy_send_timeout":    "3:37, used at 4:23",
		"proxy_connect_timeout": "4:88, used at 0:0", // what is made of another value is edited there
		"client_body_timeout":   "4:118, used at 0:0",
	} {
		o := valueAt(t, d, "proxy.nginx.server."+setting).Origin
		got := fmt.Sprintf("%d:%d, used at %d:%d", o.Pos.Line, o.Pos.Column, o.Used.Line, o.Used.Column)
		if got != want {
			t.Errorf("%s stands at %s, want %s", setting, got, want)
		}
	}
}
