package compile
import ("testing";"fmt";"strings";"cuelang.org/go/cue")
func TestZZ(t *testing.T) {
	s := mustRead(t, "a.cue", `package a
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
	d: nginx: _k & {version: "1.28"}
	e: nginx: _k
	f: nginx: #Base & _n & {version: "1"}
	g: _layers.x
	h: nginx: {_m, #Base, server: proxy_buffering: "on"}
	i: nginx: server: _n.server & {proxy_send_timeout: _t}
	j: nginx: {for k, v in _n {(k): v}}
	if true {k: nginx: _n}
	l: nginx: server: proxy_read_timeout: *_t | string
	m: nginx: server: {"proxy_read_timeout": _n.server["proxy_read_timeout"]}
	n: nginx: server: proxy_read_timeout: "\(_t)"
}
_layers: x: nginx: server: proxy_read_timeout: _t
[=~"^def"]: nginx: server: proxy_read_timeout: "4s"
routes: {}
`)
	for _, p := range []string{"a.nginx.server.proxy_read_timeout","b.nginx.server.proxy_read_timeout","c.nginx.server.proxy_read_timeout","d.nginx.server.proxy_read_timeout","d.nginx.server.proxy_send_timeout","e.nginx.server.proxy_send_timeout","e.nginx.server.proxy_read_timeout","f.nginx.server.proxy_read_timeout","f.nginx.server.proxy_send_timeout","g.nginx.server.proxy_read_timeout","h.nginx.server.proxy_send_timeout","h.nginx.server.proxy_read_timeout","i.nginx.server.proxy_read_timeout","i.nginx.server.proxy_send_timeout","j.nginx.server.proxy_read_timeout","k.nginx.server.proxy_read_timeout","l.nginx.server.proxy_read_timeout","m.nginx.server.proxy_read_timeout","n.nginx.server.proxy_read_timeout"} {
		path := append([]string{"layers"}, strings.Split(p, ".")...)
		fmt.Printf("%-36s at %-44s shared %s\n", p, pointed(s, s.at(path...)), pointed(s, s.shared(path...)))
	}
}
var _ = cue.Str
