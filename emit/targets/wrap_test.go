package targets

import (
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

// What is wrapped around a client and has no place in an emitted one is told, each value
// by its setting and a default by the product whose it is.
func TestWhatIsWrappedAroundAClientIsTold(t *testing.T) {
	s, errs := read(t, `layers: {
	api: {instances: 1, app: clients: price: {
		wrap: [{resilience4jBulkhead: {maxConcurrentCalls: 5, maxWaitDuration: "100ms"}}, {resilience4jCircuitBreaker: {slowCallDurationThreshold: "2s", waitDurationInOpenState: "30s"}}]
		gohttp: {Timeout: "9s", Transport: {Dialer: Timeout: "1s", IdleConnTimeout: "30s"}}
	}}
	price: external: idleKeepalive: "60s"
}
routes: "GET /": path: ["api", "price"]
`)
	if errs != nil {
		t.Fatal(errs)
	}
	const at = "api.app.clients.price.wrap[1].resilience4jCircuitBreaker."
	for _, name := range []string{"go", "node"} {
		target, _ := Named(name)
		_, warnings, err := target.Emit(s, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, w := range warnings {
			told = append(told, w.String())
		}
		text := strings.Join(told, "\n")
		for _, want := range []string{at + "slowCallDurationThreshold: 2s is not written", at + "waitDurationInOpenState: 30s is not written", "eject, which resilience4jCircuitBreaker has by default"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		if strings.Contains(text, "resilience4jBulkhead") {
			t.Errorf("%s: what is written is told as lost:\n%s", name, text)
		}
	}
}
