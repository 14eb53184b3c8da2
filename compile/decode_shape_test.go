package compile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
)

func TestDecodeReadsWhatStandsAroundAClient(t *testing.T) {
	d := decodeClean(t, `layers: api: app: clients: both: {to: ["auth", "proxy"], via: "edge", wrap: [{loop: {attempts: 3, on: ["timeout"], delay: "1s"}}], custom: retryOn: ["timeout"]}
layers: web: browser: wrap: [{loop: {attempts: 2, on: ["timeout"]}}]
layers: cdn: unknown: "vendor CDN"`, nil)
	var both *Part
	for _, p := range d.layer("api").App.Clients {
		if p.Name == "both" {
			both = p
		}
	}
	if diff := cmp.Diff([]string{"auth", "proxy"}, both.To); diff != "" || both.Via != "edge" || both.Type.Key != "custom" {
		t.Errorf("%+v", both)
	}
	if len(both.Wrap) != 1 || both.Wrap[0].Type.Key != "loop" || len(both.Wrap[0].Block.Values) != 3 {
		t.Errorf("%+v", both.Wrap)
	}
	if v := both.Wrap[0].Block.Values[2]; v.Origin.Layer != "api" || v.D != time.Second {
		t.Errorf("%+v", v)
	}
	if w := d.layer("web").Wrap; len(w) != 1 || w[0].Type.Key != "loop" {
		t.Errorf("%+v", w)
	}
	if l := d.layer("cdn"); l.Text != "vendor CDN" || l.Block != nil || l.Type.Role != chain.RoleUnknown {
		t.Errorf("%+v", l)
	}
}

func (d *Decoded) layer(name string) *Layer {
	for _, l := range d.Layers {
		if l.Name == name {
			return l
		}
	}
	return nil
}

func TestDecodeReadsARoute(t *testing.T) {
	d := decodeClean(t, `path: ["web", "edge"]
routes: "POST /pay": {
	paths: {web: ["web", "edge", "proxy"], mobile: ["edge", "proxy"]}
	at: edge: alb: {}
	calls: api: [{auth: {times: 3}}, {auth: {background: true}}]
	response: stream: silence: "5s"
}`, nil)
	var r *RouteDecl
	for _, x := range d.Routes {
		if x.Pattern == "POST /pay" {
			r = x
		}
	}
	if diff := cmp.Diff([]NamedPath{{"web", []string{"web", "edge", "proxy"}}, {"mobile", []string{"edge", "proxy"}}}, r.Paths); diff != "" {
		t.Error(diff)
	}
	if len(r.At) != 1 || r.At[0].Name != "edge" || r.At[0].Type.Key != "alb" {
		t.Errorf("%+v", r.At)
	}
	steps := r.Calls["api"]
	if len(steps) != 2 || steps[0].Calls[0].Times != 3 || !steps[1].Calls[0].Background || steps[0].Calls[0].Pos.Line != 6 {
		t.Errorf("%+v", steps)
	}
	if diff := cmp.Diff([]string{"web", "edge"}, d.DefaultPath); diff != "" || r.Pos.Line != 3 || r.Pos.Column != 9 {
		t.Error(diff, r.Pos)
	}
}

func TestDecodeCollectsSuppressions(t *testing.T) {
	d := decodeClean(t, `policy: {
	errorRoom:   "2s"
	poolAgainst: "p99"
	severity: "retry-budget": "off"
	ignore: [{rule: "no-limit", reason: "known", until: "2027-03-31", setting: "edge.alb.idle_timeout", layer: "edge", route: "GET /"}]
}
_room: 60 @tchain(ignore="error-room", reason="measured", until="2027-03-31")
layers: edge: alb: idle_timeout: _room
layers: proxy: nginx: server: {} @tchain(ignore="no-limit", reason="never met")`, nil)
	p := d.Policy
	if p.ErrorRoom != 2*time.Second || p.PoolAgainst != "p99" || p.Severity["retry-budget"] != "off" {
		t.Errorf("%+v", p)
	}
	want := []chain.Ignore{
		{Rule: "no-limit", Reason: "never met", Settings: []string{"proxy.nginx.server"}},
		{Rule: "error-room", Reason: "measured", Until: "2027-03-31", Settings: []string{"edge.alb.idle_timeout"}},
		{Rule: "no-limit", Reason: "known", Until: "2027-03-31", Settings: []string{"edge.alb.idle_timeout"}, Layers: []string{"edge"}, Routes: []string{"GET /"}},
	}
	for i := range p.Ignore {
		if p.Ignore[i].At.Line == 0 {
			t.Errorf("%+v has no place", p.Ignore[i])
		}
		if attribute := p.Ignore[i].Routes == nil; (p.Ignore[i].Written.Line > 0) != attribute {
			t.Errorf("%+v is written at line %d", p.Ignore[i], p.Ignore[i].Written.Line)
		}
		p.Ignore[i].At, p.Ignore[i].Written = chain.Range{}, chain.Range{}
	}
	slices.SortFunc(p.Ignore, func(a, b chain.Ignore) int { return strings.Compare(b.Reason, a.Reason) })
	if diff := cmp.Diff(want, p.Ignore); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeTakesTypesOfTheTeam(t *testing.T) {
	d, errs := decodeText(t, `import "tchain.dev/schema"
tchain: "v1", name: "t"
types: layers: edgex: {
	wait?: schema.#GoDuration @limit(response-header, fires="504") @default("30s") @doc("https://x.io") @scope(route)
	idle?: string @limit(idle-keepalive)
	idleMillis?: int @limit(idle-keepalive) @time("a whole number of milliseconds", bare=ms, number, example="90")
	peer?: {[string]: {tries?: int & >=1 @size(retry-count)}} @block(peer)
} @title("Edge X") @role(passing)
layers: {web: browser: {}, e: edgex: {wait: "5s", idle: "1m30s", idleMillis: 70, peer: z: tries: 2}, z: external: {}}
routes: "GET /": path: ["web", "e", "z"]
`, nil)
	if len(errs) > 0 {
		t.Fatal(shownErrors(errs))
	}
	typ := d.layer("e").Type
	if !typ.Own || typ.Title != "Edge X" || typ.Role != chain.RolePassing {
		t.Errorf("%+v", typ)
	}
	v := valueAt(t, d, "e.edgex.wait")
	if v.D != 5*time.Second || v.Origin.ID != "edgex.wait" || v.Field.Limits[0].Kind != chain.ResponseHeader || !v.Field.Notation.Signed {
		t.Errorf("%+v %+v", v, v.Field)
	}
	if v = valueAt(t, d, "e.edgex.idle"); v.D != 90*time.Second {
		t.Errorf("%+v", v)
	}
	if v = valueAt(t, d, "e.edgex.idleMillis"); v.D != 70*time.Millisecond {
		t.Errorf("%+v", v)
	}
	if v = valueAt(t, d, "e.edgex.peer.z.tries"); v.Raw != int64(2) || v.Origin.ID != "edgex.peer.tries" {
		t.Errorf("%+v", v)
	}
}

func TestDecodeSplitsAPattern(t *testing.T) {
	for pattern, want := range map[string][3]string{
		"POST /pay":       {"POST", "", "/pay"},
		"GET api.x.io/f/": {"GET", "api.x.io", "/f/"},
		"/u/{id}":         {"", "", "/u/{id}"},
	} {
		method, host, path, prefix := splitPattern(pattern)
		if got := [3]string{method, host, path}; got != want || prefix != (pattern == "GET api.x.io/f/") {
			t.Errorf("%s: %v %v", pattern, got, prefix)
		}
	}
}
