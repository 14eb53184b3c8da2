package gohttp

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// served is a stack with an app on Go's http.Server, and a route for each WriteTimeout.
func served(writes map[string]string, order ...string) *chain.Stack {
	s := &chain.Stack{Name: "insurance", Dir: "examples/insurance"}
	for _, name := range order {
		r := sample.InsuranceRoute()
		r.Name = name
		n := sample.Node(r, "api")
		n.Steps = nil
		for _, x := range [][2]string{{"ReadHeaderTimeout", "5s"}, {"ReadTimeout", "10s"}, {"WriteTimeout", writes[name]}, {"IdleTimeout", "-1s"}} {
			n.Settings = append(n.Settings, field(x[0], x[1]))
		}
		s.Routes = append(s.Routes, r)
	}
	return s
}

func field(name, text string) chain.Setting {
	return chain.Setting{Block: "server", Value: text, Origin: chain.Origin{Source: chain.Written, Setting: "api.app.server.gohttp." + name, ID: "gohttp." + name, Name: name, Text: text}}
}

// byRoute has three routes of different limits, one of them with a TimeoutHandler.
func byRoute() *chain.Stack {
	s := served(map[string]string{"GET /quick": "300ms", "GET /report": "2s", "GET /handled": "2s"}, "GET /quick", "GET /report", "GET /handled")
	n := sample.Node(s.Routes[2], "api")
	n.Settings = append(n.Settings, field("TimeoutHandler", "200ms"))
	return s
}

func TestNullIsAHandlerWithoutATimeoutHandler(t *testing.T) {
	with, without := byRoute(), byRoute()
	n := sample.Node(without.Routes[2], "api")
	n.Settings[len(n.Settings)-1] = field("TimeoutHandler", "null")
	for _, tc := range []struct {
		stack *chain.Stack
		want  bool
	}{{with, true}, {without, false}} {
		files, _ := golden.Emit(t, Target, tc.stack)
		if got := strings.Contains(files["api_server.go"], ", Handler: "); got != tc.want {
			t.Errorf("it has one: %v, want %v, in\n%s", got, tc.want, files["api_server.go"])
		}
	}
}

func TestServerGolden(t *testing.T) {
	for _, tc := range []struct {
		name  string
		stack *chain.Stack
		files int
	}{
		{"served", served(map[string]string{"GET /a": "60s", "GET /b": "60s"}, "GET /a", "GET /b"), 1},
		{"byroute", byRoute(), 2},
		{"endless", served(map[string]string{"GET /a": "60s", "GET /b": "0s"}, "GET /a", "GET /b"), 2},
	} {
		files, warnings := golden.Emit(t, Target, tc.stack)
		if text, ok := files["tchain_server.go"]; ok && text != serverMechanism || len(files) != tc.files {
			t.Errorf("%s: %d files, want %d and the mechanism as it is", tc.name, len(files), tc.files)
		}
		delete(files, "tchain_server.go")
		golden.Compare(t, "testdata/"+tc.name, files)
		if warnings != nil {
			t.Errorf("%s: warnings %q", tc.name, warnings)
		}
	}
}

// The server keeps the limits of each route on HTTP/1.1 and on HTTP/2, under the race
// detector.
func TestEmittedServer(t *testing.T) {
	t.Parallel()
	files, _, err := Target.Emit(byRoute(), emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/server/server_test.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files = append(files, emit.File{Name: "server_test.go", Content: text}, emit.File{Name: "go.mod", Content: []byte("module example.com/upstream\n\ngo 1.26\n")})
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	gocommand(t, dir, "vet", ".")
	retake.Test(t, func(t testing.TB) { gocommand(t, dir, "test", "-race", "-count=1", ".") })
}

// A server imports what it uses alone, whichever of its timers there are.
func TestServersOfAnyTimersBuild(t *testing.T) {
	t.Parallel()
	timers := []string{"ReadHeaderTimeout", "ReadTimeout", "WriteTimeout", "IdleTimeout", "TimeoutHandler"}
	all := []emit.File{{Name: "go.mod", Content: []byte("module example.com/upstream\n\ngo 1.26\n")}}
	for _, only := range append(timers, "none") {
		s := served(map[string]string{"GET /a": "0s"}, "GET /a")
		n := sample.Node(s.Routes[0], "api")
		n.Settings = nil
		for _, name := range timers {
			switch {
			case name == only:
				n.Settings = append(n.Settings, field(name, "3s"))
			case name != "TimeoutHandler":
				n.Settings = append(n.Settings, field(name, "0s"))
			}
		}
		files, _, err := Target.Emit(s, emit.Options{})
		if err != nil {
			t.Fatalf("%s: %v", only, err)
		}
		for _, f := range files {
			all = append(all, emit.File{Name: strings.ToLower(only) + "/" + f.Name, Content: f.Content})
		}
	}
	dir := t.TempDir()
	if err := emit.WriteDir(dir, all); err != nil {
		t.Fatal(err)
	}
	gocommand(t, dir, "build", "./...")
}

func TestServerRefusals(t *testing.T) {
	set := func(s *chain.Stack, at int, name, text string) {
		n := sample.Node(s.Routes[at], "api")
		for i := range n.Settings {
			if n.Settings[i].Origin.Name == name {
				n.Settings[i] = field(name, text)
			}
		}
	}
	for _, tc := range []struct {
		name   string
		change func(*chain.Stack)
		want   string
	}{
		{"two values of the whole server", func(s *chain.Stack) { set(s, 1, "ReadTimeout", "11s") }, "api.app.server.gohttp.ReadTimeout 11s: cannot be written by tchain emit go: GET /quick and GET /report share one server, where ReadTimeout cannot be both 10s and 11s"},
		{"no duration", func(s *chain.Stack) { set(s, 0, "IdleTimeout", "soon") }, "api.app.server.gohttp.IdleTimeout soon: cannot be written by tchain emit go: it is no duration"},
		{"a handler that is ended at once", func(s *chain.Stack) { set(s, 2, "TimeoutHandler", "0s") }, "http.TimeoutHandler ends every handler at once"},
		{"no value", func(s *chain.Stack) { set(s, 0, "WriteTimeout", "") }, "api.app.server.gohttp.WriteTimeout: cannot be written by tchain emit go: it has no value that is known here"},
		{"given at run time", func(s *chain.Stack) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "api", Setting: "api.app.server.gohttp.TimeoutHandler", Reason: "TimeoutHandler is " + chain.WhyInjected, AtRunTime: "TimeoutHandler"}}
		}, "api.app.server.gohttp.TimeoutHandler: cannot be written by tchain emit go: its value comes at run time"},
		{"one route by two entrances", func(s *chain.Stack) { s.Routes[1].Name, s.Routes[1].Entrance = "GET /quick", "inside" }, "GET /quick and GET /quick (inside): cannot be written by tchain emit go: the server of api cannot tell them apart, and their limits differ"},
	} {
		s := byRoute()
		tc.change(s)
		t.Run(tc.name, func(t *testing.T) { golden.Refuses(t, Target, s, tc.want) })
	}
}

// An app behind another one is asked for paths that the stack does not tell.
func TestAServerBehindAnAppHasOneLimit(t *testing.T) {
	s := byRoute()
	for _, r := range s.Routes {
		sample.Node(r, "proxy").Role = chain.RoleBuffering
	}
	_, _, err := Target.Emit(s, emit.Options{})
	if err == nil || !strings.Contains(err.Error(), "the server of api cannot tell them apart") {
		t.Errorf("error = %v", err)
	}
	var c emit.Collector
	l := emit.Layers(s.Routes[:1], isServer)[0]
	if d := cmp.Diff(1, len(routeLimits(l, &c))); d != "" || c.Refusals != nil {
		t.Errorf("%s, %v", d, c.Refusals)
	}
}
