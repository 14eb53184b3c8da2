package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// The largest number is the idiom for repeats without end, as Long.MAX_VALUE is in
// Reactor: with the first attempt it is still without end.
func TestTheLargestNumberOfRepeatsIsRepeatsWithoutEnd(t *testing.T) {
	for client, fault := range map[string]chain.FaultKind{
		`webclient: operators: [{retryWhen: {fixedDelay: {attempts: 9223372036854775807, delay: "1s"}}}]`:      chain.Refused,
		`webclient: operators: [{retryWhen: {backoff: {attempts: 9223372036854775807, minBackoff: "100ms"}}}]`: chain.Refused,
		`webclient: operators: [{retryWhen: max: 9223372036854775807}]`:                                        chain.Refused,
		`httpclient5: client: retryStrategy: maxRetries: 9223372036854775807`:                                  chain.ResetFault,
		`httpclient4: retryHandler: retryCount: 9223372036854775807`:                                           chain.ResetFault,
		`{wrap: [{failsafeRetry: maxRetries: 9223372036854775807}], okhttp: {}}`:                               chain.Refused,
	} {
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		if _, at, _ := played(t, s, fault, "api", "pay"); at != chain.Never {
			t.Errorf("%s ends at %v, want never", client, at)
		}
		for _, d := range call(t, s, "api", "pay").Derivations {
			if d.Timer == timerRepeat && !strings.Contains(d.Why, "again without end after") {
				t.Errorf("%s: %s", client, d.Why)
			}
		}
	}
}
