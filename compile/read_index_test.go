package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const positions = `package a

tchain: "v1"
_read:  "60s" @estimate("guess")
#Base: alb: {idle_timeout: 7 @note("in the base"), ...}
layers: {
	a: nginx: server: {read: "90s", "quoted-key": "ü", after: "x"}
	b: nginx: server: read: _read
	c: #Base
	d: #Base & {alb: {idle_timeout: 7, more: -1}}
	"é é": x: "ä" // ü
	e: {#Base, own: 1}
	f: calls: [{price: {}, risk: {method: "POST"}}, {db: times: 3}]
	g: {
		@tchain(ignore="error-room", reason="a, b = c", until="2027-03-31")
		two: string
		two: "5s"
		def: *"2s" | string @env(DEF)
		and: string & "3s"
		(par): 1
	}
	h: {y: "yes"}
	if true {i: "on"}
	if false {i: "off"}
	for n in ["p", "q"] {"\(n)": made: 1 @note("in a loop")}
	[string]: _
	X=j: {y: 1, z: X.y}
}
let par = "z"
layers: g: three: "6s" @tchain(ignore=pool-size)
routes: {}
`

func TestAt(t *testing.T) {
	s := mustRead(t, "a.cue", positions)
	crlf := mustRead(t, "b.cue", strings.ReplaceAll("\uFEFF"+positions, "\n", "\r\n"))
	for _, tt := range []struct{ path, at, label, shared string }{
		{"tchain", `3:9 "v1"`, `3:1 tchain`, ""},
		{"layers.a.nginx.server.read", `7:27 "90s"`, `7:21 read`, ""},
		{"layers.a.nginx.server.quoted-key", `7:48 "ü"`, `7:34 "quoted-key"`, ""},
		{"layers.a.nginx.server.after", `7:60 "x"`, `7:53 after`, ""},
		{"layers.b.nginx.server.read", `8:26 _read`, `8:20 read`, `4:9 "60s"`},
		{"layers.c.alb.idle_timeout", `9:5 #Base`, `9:2 c`, `5:28 7`},
		{"layers.c.alb", `9:5 #Base`, `9:2 c`, `5:13 {idle_timeout: 7 @note("in the base"), ...}`},
		{"layers.d.alb.idle_timeout", `10:34 7`, `10:20 idle_timeout`, ""},
		{"layers.d.alb.more", `10:43 -1`, `10:37 more`, ""},
		{"layers.é é.x", `11:12 "ä"`, `11:9 x`, ""},
		{"layers.e.alb.idle_timeout", `12:6 #Base`, `12:2 e`, `5:28 7`},
		{"layers.e.own", `12:18 1`, `12:13 own`, ""},
		{"layers.f.calls.[0].risk.method", `13:40 "POST"`, `13:32 method`, ""},
		{"layers.f.calls.[1]", `13:50 {db: times: 3}`, `13:50 {db: times: 3}`, ""},
		{"layers.f.calls.[1].db.times", `13:62 3`, `13:55 times`, ""},
		{"layers.g.two", `17:8 "5s"`, `17:3 two`, ""},
		{"layers.g.three", `30:19 "6s"`, `30:12 three`, ""},
		{"layers.g.def", `18:9 "2s"`, `18:3 def`, ""},
		{"layers.g.and", `19:17 "3s"`, `19:3 and`, ""},
		{"layers.h.y", `22:9 "yes"`, `22:6 y`, ""},
		{"layers.i", `23:14 "on"`, `23:11 i`, ""},
		{"layers.j.y", `27:11 1`, `27:8 y`, ""},
		{"layers.a.nginx.server.nope", `7:20 {read: "90s", "quoted-key": "ü", after: "x"}`, `7:12 server`, ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			path := strings.Split(tt.path, ".")
			for _, x := range []struct {
				file string
				s    *source
			}{{"a.cue", s}, {"b.cue", crlf}} {
				shared := "nowhere"
				if tt.shared != "" {
					shared = x.file + ":" + tt.shared
				}
				got := []string{pointed(x.s, x.s.at(path...)), pointed(x.s, x.s.label(path...)), pointed(x.s, x.s.shared(path...))}
				want := []string{x.file + ":" + tt.at, x.file + ":" + tt.label, shared}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("at, label, shared (-want +got):\n%s", diff)
				}
			}
		})
	}
	if got, want := pointed(s, s.at("layers", "p", "made")), `a.cue:6:9`; !strings.HasPrefix(got, want) {
		t.Errorf("at of what a loop made = %s, want the struct that it is in at %s", got, want)
	}
}

func TestAttrs(t *testing.T) {
	s := mustRead(t, "a.cue", positions)
	for _, tt := range []struct{ path, want string }{
		{"layers.b.nginx.server.read", `@estimate[="guess"]4:15`},
		{"layers.c.alb.idle_timeout", `@note[="in the base"]5:30`},
		{"layers.d.alb.idle_timeout", `@note[="in the base"]5:30`},
		{"layers.e.alb.idle_timeout", `@note[="in the base"]5:30`},
		{"layers.g.def", `@env[="DEF"]18:23`},
		{"layers.g.three", `@tchain[ignore="pool-size"]30:24`},
		{"layers.g", `@tchain[ignore="error-room" reason="a, b = c" until="2027-03-31"]15:3`},
		{"layers.p.made", `@note[="in a loop"]25:39`},
		{"layers.a", ``},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if got := attrText(s.attrs(strings.Split(tt.path, ".")...)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	all := s.allAttrs("tchain")
	if len(all) != 2 || strings.Join(all[0].Path, ".") != "layers.g" || strings.Join(all[1].Path, ".") != "layers.g.three" {
		t.Errorf("allAttrs = %v, want both @tchain with their paths", all)
	}
	if n := len(s.allAttrs("")); n != 6 {
		t.Errorf("allAttrs found %d attributes, want 6", n)
	}
}

func attrText(as []attr) string {
	var out []string
	for _, a := range as {
		var args []string
		for _, x := range a.Args {
			args = append(args, fmt.Sprintf("%s=%q", x.Key, x.Value))
		}
		out = append(out, fmt.Sprintf("@%s%v%d:%d", a.Name, args, a.Range.Line, a.Range.Column))
	}
	return strings.Join(out, " ")
}

func TestAtInData(t *testing.T) {
	yaml := mustRead(t, "a.yaml", `tchain: v1
base: &base {idle: 145s}
layers:
  ä: {x: "é", y: 5} # note
  edge:
    alb: *base
    "q": 'it''s'
    list:
      - one
      - k: plain text # comment
    merged:
      <<: *base
      own: 1
routes: {}
`)
	json := mustRead(t, "a.json", `{
  "tchain": "v1",
  "layers": {"ä": {"x": "é\"\/", "y": 5}, "list": [1, {"k": true}]},
  "routes": {}
}
`)
	for _, tt := range []struct {
		s        *source
		path, at string
		label    string
		shared   string
	}{
		{yaml, "tchain", `1:9 v1`, `1:1 tchain`, ""},
		{yaml, "layers.ä.x", `4:10 "é"`, `4:7 x`, ""},
		{yaml, "layers.ä.y", `4:18 5`, `4:15 y`, ""},
		{yaml, "layers.ä", `4:6 {x: "é", y: 5}`, `4:3 ä`, ""},
		{yaml, "layers.edge.q", `7:10 'it''s'`, `7:5 "q"`, ""},
		{yaml, "layers.edge.list.[0]", `9:9 one`, `9:9 one`, ""},
		{yaml, "layers.edge.list.[1].k", `10:12 plain text`, `10:9 k`, ""},
		{yaml, "layers.edge.alb.idle", `6:10 *base`, `6:5 alb`, `2:20 145s`},
		{yaml, "layers.edge.merged.own", `13:12 1`, `13:7 own`, ""},
		{json, "tchain", `2:13 "v1"`, `2:3 "tchain"`, ""},
		{json, "layers.ä.x", `3:25 "é\"\/"`, `3:20 "x"`, ""},
		{json, "layers.ä.y", `3:39 5`, `3:34 "y"`, ""},
		{json, "layers.list.[1].k", `3:61 true`, `3:56 "k"`, ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			path := strings.Split(tt.path, ".")
			file := tt.s.target.own[0][strings.LastIndex(tt.s.target.own[0], "/")+1:]
			shared := "nowhere"
			if tt.shared != "" {
				shared = file + ":" + tt.shared
			}
			got := []string{pointed(tt.s, tt.s.at(path...)), pointed(tt.s, tt.s.label(path...)), pointed(tt.s, tt.s.shared(path...))}
			want := []string{file + ":" + tt.at, file + ":" + tt.label, shared}
			if strings.HasPrefix(got[0], "/") {
				// The working directory is that of the file read last.
				got[0], got[1] = got[0][strings.LastIndex(got[0], "/a."):][1:], got[1][strings.LastIndex(got[1], "/a."):][1:]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("at, label, shared (-want +got):\n%s", diff)
			}
		})
	}
}
