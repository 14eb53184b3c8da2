package haproxy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// full is the sample with every keyword that has no value in it, servers that the
// stack does not name, and a second backend.
func full() *chain.Stack {
	s := sample.Balanced()
	n := sample.Node(s.Routes[0], "proxy")
	for _, set := range [][3]string{{"global", "hard-stop-after", "30s"}, {"backend.timeout", "tunnel", "1h"}, {"backend.timeout", "check", "2000"},
		{"backend", "retry-on", "conn-failure empty-response"}, {"defaults.option", "redispatch", "true"}, {"defaults", "retries", "2"}} {
		sample.Set(n, set[0], set[1], set[2])
	}
	r := sample.BalancedRoute()
	r.Name, r.Method = "POST /report", "POST"
	sample.Node(r, "api").Layer = "report"
	other := sample.Node(r, "proxy")
	for _, set := range [][3]string{{"global", "hard-stop-after", "30s"}, {"defaults", "retries", "2"}, {"backend.timeout", "server", "300s"}, {"backend", "server", ""}} {
		sample.Set(other, set[0], set[1], set[2])
	}
	s.Routes = append(s.Routes, r)
	return s
}

func TestGolden(t *testing.T) {
	for _, tc := range []struct {
		name     string
		stack    *chain.Stack
		warnings []string
	}{
		{"balanced", sample.Balanced(), nil},
		{"full", full(), []string{"backend report has no servers in the stack: write `backend report from proxy-report` with its server lines yourself"}},
	} {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if d := cmp.Diff(tc.warnings, warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tc.name, d)
		}
	}
}

func TestServerLines(t *testing.T) {
	got := serverLines("a:80 maxconn 3 check b.x:81 unix@/s.sock backup [::1]:8080 weight 2")
	want := []string{"a:80 maxconn 3 check", "b.x:81", "unix@/s.sock backup", "[::1]:8080 weight 2"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestWarnings(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(n *chain.Node)
		want   string
		line   string
	}{
		{"no timeout", func(n *chain.Node) { sample.Set(n, "backend.timeout", "server", "") }, "proxy has no timeout server: it waits as long as it takes", "    # no timeout server: it waits as long as it takes\n"},
		{"TLS", func(n *chain.Node) { n.Calls()[0].TLS = true }, "backend api uses TLS", "    server api1 10.0.1.11:8080 ssl verify required ca-file @system-ca\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Balanced()
			tc.change(sample.Node(s.Routes[0], "proxy"))
			files, warnings := golden.Emit(t, Target, s)
			if len(warnings) != 1 || !strings.Contains(warnings[0], tc.want) {
				t.Errorf("warnings = %q", warnings)
			}
			if text := files["insurance.haproxy.cfg"]; !strings.Contains(text, tc.line) {
				t.Errorf("no %q in\n%s", tc.line, text)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, n *chain.Node)
		want   string
	}{
		{"no haproxy", func(_ *chain.Stack, n *chain.Node) { n.Type = "nginx" }, "no route of insurance crosses an HAProxy"},
		{"a time of which the first part would count", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, "defaults.timeout", "client", "1m30s") },
			"proxy.haproxy.defaults.timeout.client 1m30s: cannot be written by tchain emit haproxy: a time is one number with one unit"},
		{"a part of a second", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, "defaults.timeout", "connect", "1.5s") }, "a time is one number with one unit"},
		{"a number that is none", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, "defaults", "retries", "two") }, "proxy.haproxy.defaults.retries two: cannot be written by tchain emit haproxy: it is a whole number"},
		{"a server with a line of its own", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, "backend", "server", "a:80 #x") }, "is no server"},
		{"given at run time", func(s *chain.Stack, _ *chain.Node) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.haproxy.backend.api.timeout.server", Reason: "server is " + chain.WhyInjected, AtRunTime: "server"}}
		}, "proxy.haproxy.backend.api.timeout.server: cannot be written by tchain emit haproxy: its value comes at run time"},
		{"stack name", func(s *chain.Stack, _ *chain.Node) { s.Name = "../x" }, "file name takes letters"},
		{"routes that differ in front", func(s *chain.Stack, _ *chain.Node) {
			r := sample.BalancedRoute()
			r.Name = "GET /x"
			sample.Set(sample.Node(r, "proxy"), "defaults.timeout", "client", "9s")
			s.Routes = append(s.Routes, r)
		}, "GET /x meet in one frontend, where timeout client cannot be both 150s and 9s"},
		{"routes that differ behind", func(s *chain.Stack, _ *chain.Node) {
			r := sample.BalancedRoute()
			r.Name = "GET /x"
			sample.Set(sample.Node(r, "proxy"), "backend", "server", "b:80")
			s.Routes = append(s.Routes, r)
		}, "GET /x meet in one backend api, where server cannot be both"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Balanced()
			tc.change(s, sample.Node(s.Routes[0], "proxy"))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}

func TestATarpitIsNotThatOfABackendsConnect(t *testing.T) {
	s := sample.Balanced()
	n := sample.Node(s.Routes[0], "proxy")
	for i := range n.Settings {
		if n.Settings[i].Origin.Name == "connect" {
			n.Settings[i].Block = "backend.timeout"
		}
	}
	files, _ := golden.Emit(t, Target, s)
	for _, text := range files {
		if strings.Contains(text, "\n    timeout tarpit ") || !strings.Contains(text, "# timeout tarpit is not written: ") {
			t.Errorf("the frontend has the tarpit of a backend's connect:\n%s", text)
		}
	}
}

func TestTarpitsThatFollowDifferentBackendsAreNoConflict(t *testing.T) {
	s := sample.Balanced()
	r := sample.BalancedRoute()
	r.Name = "GET /x"
	s.Routes = append(s.Routes, r)
	for i, tarpit := range []string{"3s", "9s"} {
		n := sample.Node(s.Routes[i], "proxy")
		n.Settings = slices.Clone(n.Settings)
		sample.Set(n, "defaults.timeout", "tarpit", tarpit)
		for j := range n.Settings {
			if n.Settings[j].Origin.Name == "tarpit" {
				n.Settings[j].Origin.Source = chain.Derived
			}
		}
	}
	golden.Emit(t, Target, s)
}
