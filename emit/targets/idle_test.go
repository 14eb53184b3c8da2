package targets

import (
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

// A keepAliveTimeout of 0 is written, also where timeout is in force in its place.
func TestANodeServerWithoutAKeepAliveTimeoutIsWritten(t *testing.T) {
	for silence, want := range map[string][]string{
		"7000": {"keepAliveTimeout: 0, // api.app.server.node.keepAliveTimeout; 0 is none: timeout stays on an idle connection", "server.timeout = 7_000; // api.app.server.node.timeout"},
		"0":    {"keepAliveTimeout: 0, // api.app.server.node.keepAliveTimeout; 0 is no limit", "server.timeout = 0; // api.app.server.node.timeout; 0 is no limit"},
	} {
		s, errs := read(t, `layers: api: app: {runtime: node: "22.1.0", server: node: {keepAliveTimeout: 0, timeout: `+silence+`}}
routes: "GET /": path: ["api"]
`)
		if errs != nil {
			t.Fatal(errs)
		}
		target, _ := Named("node")
		files, _, err := target.Emit(s, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if text := string(files[len(files)-1].Content); !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
}
