package compile

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/schema"
)

const sharing = `tchain: "v1"
name:   "a"
layers: {
	web: browser: fetch: {}
	proxy: nginx: server: proxy_read_timeout: "5s"
	api: app: clients: db: gohttp: {}
	db: external: latency: p99: "1s"
}
path: ["web", "proxy", "api", "db"]
routes: {
	"GET /a": {}
	"GET /b": {}
	"GET /own": at: proxy: nginx: server: proxy_read_timeout: "6s"
	"POST /c": {}
}
`

func TestRoutesThatMeetALayerInTheSameWayShareIt(t *testing.T) {
	s := resolveText(t, sharing)
	a, b, own := s.Routes[0], s.Routes[1], s.Routes[2]
	if a.Root != b.Root {
		t.Error("two routes that differ in their names only have a tree each")
	}
	of := func(r *chain.Route, layer string) *chain.Node {
		for _, n := range r.Nodes() {
			if n.Layer == layer {
				return n
			}
		}
		t.Fatalf("%s is not on %s", layer, r.Name)
		return nil
	}
	for _, layer := range []string{"web", "proxy"} {
		if of(a, layer) == of(own, layer) {
			t.Errorf("%s of a route that says something of proxy is that of another route", layer)
		}
	}
	if of(a, "api") != of(own, "api") {
		t.Error("what is behind the layer that a route speaks of is not shared")
	}
	if got := of(own, "proxy").Steps[0].Calls[0]; got.Layers[0].Limits[0].Origin.Layer != "proxy" {
		t.Errorf("the call of proxy: %+v", got)
	}
	for _, r := range s.Routes {
		var all []string
		for _, n := range r.NotChecked {
			if n.Route != r.Name {
				t.Errorf("%s says of %s: %s", r.Name, n.Route, n.Reason)
			}
			all = append(all, n.Reason)
		}
		if len(all) != len(a.NotChecked) || !strings.Contains(strings.Join(all, "\n"), "server of api not declared") {
			t.Errorf("%s leaves out %q", r.Name, all)
		}
	}
}

// TestARouteIsWhatItIsAlone resolves each route of the examples, and one that is
// like it, without the others: sharing must not show.
func TestARouteIsWhatItIsAlone(t *testing.T) {
	files, err := filepath.Glob("../check/testdata/*/*.cue")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	more, _ := filepath.Glob("../examples/*/*.cue")
	compared := 0
	for _, file := range append(files, more...) {
		decode := func() (*Decoded, placeFunc) {
			targets, _ := find([]string{file}, Options{})
			if len(targets) != 1 {
				return nil, nil
			}
			src, errs := (&reader{schema: schema.FS}).read(targets[0])
			if len(errs) > 0 || src == nil {
				return nil, nil
			}
			d, errs := decode(src, builtin())
			if len(errs) > 0 {
				return nil, nil
			}
			return d, src.place
		}
		d, place := decode()
		if d == nil {
			continue
		}
		for _, r := range d.Routes {
			again := *r
			again.Pattern += "/again"
			d.Routes = append(d.Routes, &again)
		}
		together, errs := resolve(d, place)
		if len(errs) > 0 {
			continue
		}
		var alone []*chain.Route
		for _, decl := range d.Routes {
			one := *d
			one.Routes = []*RouteDecl{decl}
			s, _ := resolve(&one, place)
			alone = append(alone, s.Routes...)
		}
		for i, r := range together.Routes {
			forget(r)
			forget(alone[i])
			if !reflect.DeepEqual(alone[i], r) { // cmp takes a hundred times as long
				t.Errorf("%s: %s alone and with others:\n%s", file, r.Name, cmp.Diff(alone[i], r))
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d routes were compared", compared)
	}
}

// forget leaves out what does follow from other routes: what pooled connections
// were left with.
func forget(r *chain.Route) {
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			c.Derivations = nil
		}
	}
	var kept []chain.NotChecked
	for _, n := range r.NotChecked {
		if !strings.Contains(n.Reason, "is of no route over this client") {
			kept = append(kept, n)
		}
	}
	r.NotChecked = kept
}
