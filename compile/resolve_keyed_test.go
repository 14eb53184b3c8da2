package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// net/http holds a request for idempotent that has one of its two headers.
func TestGoSendsARequestWithAnIdempotencyKeyAgainOnADeadConnection(t *testing.T) {
	for key, want := range map[string]int{"": 1, "Idempotency-Key": 2, "x-idempotency-key": 2, "paymentId": 1} {
		for client, sent := range map[string]int{"gohttp: {}": want, "requests: {}": 1} {
			stack := jvmStack(``, client, `app: {server: gohttp: IdleTimeout: "5s", runtime: {}}`, "POST /")
			if key != "" {
				stack = strings.Replace(stack, `path: ["api", "pay"]`, `{path: ["api", "pay"], idempotencyKey: "`+key+`"}`, 1)
			}
			s := resolveText(t, stack)
			if got, _, _ := played(t, s, chain.IdleRace, "api", "pay"); len(got) != sent {
				t.Errorf("%s with the key %q: sent %v, want %d", client, key, got, sent)
			}
		}
	}
}
