package targets

import (
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

// A pool has the name by which the alerts look for it.
func TestAPoolHasTheNameThatIsWatched(t *testing.T) {
	s, errs := read(t, `layers: {
	api: {instances: 1, app: {
		runtime: {springBoot: "3.5.9", jdk: "21"}
		server: tomcat: {}
		clients: "price-v2": webclient: {provider: {maxConnections: 5, maxIdleTime: "50s"}, operators: [{timeout: "2s"}]}
	}}
	"price-v2": external: idleKeepalive: "60s"
}
routes: "GET /": path: ["api", "price-v2"]
`)
	if errs != nil {
		t.Fatal(errs)
	}
	for name, want := range map[string]string{"spring": `ConnectionProvider.builder("price-v2")`, "prometheus": `name="price-v2"`} {
		target, _ := Named(name)
		files, _, err := target.Emit(s, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range files {
			text += string(f.Content)
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s in\n%s", name, want, text)
		}
	}
}
