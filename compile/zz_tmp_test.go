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
	var show func(v cue.Value, rest []string, ind string, depth int)
	show = func(v cue.Value, rest []string, ind string, depth int) {
		op, parts := v.Expr()
		for _, p := range parts {
			root, rp := p.ReferencePath()
			src := p.Source()
			off := ""
			if src != nil { off = fmt.Sprintf("%T %d:%d", src, src.Pos().Line(), src.Pos().Column()) }
			var sel []cue.Selector
			for _, x := range rest { sel = append(sel, cue.Str(x)) }
			has := p.LookupPath(cue.MakePath(sel...)).Exists()
			fmt.Println(ind, op, off, "ref", rp, root.Exists(), "has", has)
			if depth > 0 && (op == cue.AndOp) { show(p, rest, ind+"   ", depth-1) }
		}
	}
	for _, p := range []string{"a.nginx|server.proxy_read_timeout","c.nginx|server.proxy_read_timeout","f.nginx|server.proxy_send_timeout","g|nginx.server.proxy_read_timeout","h.nginx|server.proxy_send_timeout","i.nginx.server|proxy_read_timeout","j.nginx|server.proxy_read_timeout", "k.nginx|server.proxy_read_timeout", "l.nginx.server.proxy_read_timeout|", "d.nginx|server.proxy_send_timeout", "l.nginx.server.proxy_read_timeout|"} {
		a, b, _ := strings.Cut(p, "|")
		v, ok := s.lookup(append([]string{"layers"}, strings.Split(a, ".")...))
		fmt.Println("==", p, ok)
		var rest []string
		if b != "" { rest = strings.Split(b, ".") }
		show(v, rest, "", 2)
	}
}
