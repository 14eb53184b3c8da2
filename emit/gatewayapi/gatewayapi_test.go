package gatewayapi

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func route(name string) *chain.Route { return sample.Named(sample.GatedRoute(), name) }

// shop has routes of every form, on two hosts, and one of which only a part is set.
func shop() *chain.Stack {
	s := &chain.Stack{Name: "shop", Dir: "shop"}
	for _, n := range []string{"/", "GET /u/{id}", "POST /u/", "GET /u/me", "GET x.io/f/{rest...}"} {
		s.Routes = append(s.Routes, route(n))
	}
	sample.Set(sample.Node(s.Routes[0], "proxy"), "rule.timeouts", "request", "63s")
	n := sample.Node(s.Routes[3], "proxy")
	n.Settings = n.Settings[1:2]
	return s
}

// inside has the gateway behind an app, for its calls.
func inside() *chain.Stack {
	s := sample.Gated()
	r := s.Routes[0]
	proxy, api := sample.Node(r, "proxy"), sample.Node(r, "api")
	between := *proxy
	between.Layer = "egress"
	call := *proxy.Calls()[0]
	call.To = sample.Node(r, "auth")
	between.Steps = []chain.Step{{Calls: []*chain.Call{&call}}}
	api.Calls()[0].To = &between
	proxy.Type = "nginx"
	return s
}

const channel = "retry is in the standard channel of Gateway API from 1.7 on, and before in the experimental one only"

var golds = []struct {
	name     string
	stack    *chain.Stack
	warnings []string
}{
	{"gated", sample.Gated(), []string{channel}},
	{"inside", inside(), []string{channel}},
	{"shop", shop(), []string{channel, "proxy has no timeouts.request for GET /u/me: its implementation decides",
		"GET /u/{id} needs a path of type RegularExpression, which not every implementation of Gateway API has"}},
}

func TestGolden(t *testing.T) {
	for _, tc := range golds {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if d := cmp.Diff(tc.warnings, warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tc.name, d)
		}
	}
}

// object is a team's own HTTPRoute, with a rule for each match.
func object(matches ...string) string {
	text := "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: mine}\nspec:\n  parentRefs: [{name: gw}]\n  rules:\n"
	for _, m := range matches {
		if path, get := strings.CutSuffix(m, ", method: GET"); get {
			m += "}, {" + path + ", method: HEAD"
		}
		text += fmt.Sprintf("    - matches: [{%s}]\n      backendRefs: [{name: api, port: 8080}]\n      timeouts: {request: 1h}\n", m)
	}
	return text
}

// kustomize's patches take each file, and Gateway API's own types take what comes out.
func TestThePatchesFitHTTPRoutes(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-C", "testdata/check", "-o", check, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	const all = ` [{"request":"125s","backendRequest":"1m2s500ms"},{"codes":[502,503],"attempts":1,"backoff":"100ms"}]` + "\n"
	for _, tc := range []struct {
		name, file, route, want string
	}{
		{"one rule", "gated/insurance.proxy", object(`path: {type: Exact, value: /v1/affiliation/health-insurance}, method: GET`), "/v1/affiliation/health-insurance" + all},
		{"behind an app", "inside/insurance.egress", object(`path: {type: PathPrefix, value: /}`), "/" + all},
		{"rules of every form", "shop/shop.proxy", object(`path: {type: Exact, value: /u/me}, method: GET`, `path: {type: RegularExpression, value: "/u/[^/]+"}, method: GET`,
			`path: {type: PathPrefix, value: /u/}, method: POST`, `path: {type: PathPrefix, value: /}`),
			`/u/me [{"backendRequest":"1m2s500ms"},null]` + "\n/u/[^/]+" + all + "/u/" + all + "/" + strings.Replace(all, "125s", "63s", 1)},
		{"GET without HEAD", "gated/insurance.proxy", strings.Replace(object(`path: {type: Exact, value: /v1/affiliation/health-insurance}, method: GET`),
			", {path: {type: Exact, value: /v1/affiliation/health-insurance}, method: HEAD}", "", 1), "testing value /spec/rules/0/matches failed"},
		{"another order of rules", "gated/insurance.proxy", object(`path: {type: PathPrefix, value: /}`), "testing value /spec/rules/0/matches failed"},
	} {
		cmd := exec.Command(check, "testdata/"+tc.file+".httproute-patch.yaml.golden")
		cmd.Stdin = strings.NewReader(tc.route)
		out, err := cmd.CombinedOutput()
		if refused := strings.HasPrefix(tc.want, "testing value"); refused != (err != nil) || !strings.HasPrefix(string(out), tc.want) {
			t.Errorf("%s: %v\n got %s\nwant %s", tc.name, err, out, tc.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	set := func(block, name, text string) func(*chain.Stack) {
		return func(s *chain.Stack) { sample.Set(sample.Node(s.Routes[0], "proxy"), "rule."+block, name, text) }
	}
	for _, tc := range []struct {
		name   string
		change func(*chain.Stack)
		want   string
	}{
		{"no gateway", func(s *chain.Stack) { sample.Node(s.Routes[0], "proxy").Type = "envoy" }, "no route of insurance crosses a Gateway API layer"},
		{"a duration with decimals", set("timeouts", "request", "1.5s"), "proxy.gatewayAPI.rule.timeouts.request 1.5s: cannot be written by tchain emit gateway-api: a duration is whole numbers of at most five digits"},
		{"a duration of six digits", set("retry", "backoff", "100000ms"), "a duration is whole numbers of at most five digits"},
		{"an attempt longer than the whole", set("timeouts", "request", "60s"), "proxy.gatewayAPI.rule.timeouts.backendRequest 1m2s500ms: cannot be written by tchain emit gateway-api: backendRequest cannot be longer than request, which is 60s"},
		{"no whole number", set("retry", "attempts", "x"), "it is a whole number"},
		{"a code that is no error", set("retry", "codes", "200"), "a code that is tried again is from 400 to 599"},
		{"given at run time", func(s *chain.Stack) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.gatewayAPI.rule.timeouts.request", Reason: "request is " + chain.WhyInjected, AtRunTime: "request"}}
		}, "its value comes at run time"},
		{"two routes in one rule", func(s *chain.Stack) {
			r := sample.GatedRoute()
			r.Name = "again"
			sample.Set(sample.Node(r, "proxy"), "rule.timeouts", "request", "63s")
			s.Routes = append(s.Routes, r)
		}, "they match the same requests, and their values differ"},
		{"more rules than there can be", func(s *chain.Stack) {
			for i := range 16 {
				s.Routes = append(s.Routes, route(fmt.Sprintf("GET /%d", i)))
			}
		}, "an HTTPRoute has 16 rules at most, and this one needs 17"},
	} {
		s := sample.Gated()
		tc.change(s)
		t.Run(tc.name, func(t *testing.T) { golden.Refuses(t, Target, s, tc.want) })
	}
}
