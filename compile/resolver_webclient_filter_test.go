package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// What comes to retryWhen is one of three exceptions: that of a timeout before it, one
// around all that fails up to the header, and one around what fails in the body.
func TestAFilterOfWebClientMatchesTheExceptionThatComesToIt(t *testing.T) {
	for _, row := range []struct {
		filter string
		fault  chain.FaultKind
		sent   int
	}{
		{`"WebClientRequestException"`, chain.Silent, 3},
		{`"WebClientRequestException"`, chain.ResetFault, 3},
		{`"WebClientRequestException"`, chain.Stall, 1},
		{`"WebClientRequestException"`, chain.Trickle, 1}, // the timeout ends it
		{`"WebClientRequestException"`, chain.Unavailable, 1},
		{`"WebClientResponseException"`, chain.Silent, 1},
		{`"WebClientResponseException"`, chain.Stall, 3},
		{`"WebClientResponseException"`, chain.Unavailable, 3},
		{`"WebClientResponseException"`, chain.Trickle, 1},
		{`"WebClientException"`, chain.Stall, 3},
		{`"java.util.concurrent.TimeoutException"`, chain.Silent, 1}, // responseTimeout is no such
		{`"java.util.concurrent.TimeoutException"`, chain.Trickle, 3},
		{`"WebClientRequestException", "TimeoutException"`, chain.Trickle, 3},
		{`"WebClientRequestException", "TimeoutException"`, chain.Stall, 1},
		{`"cause:ReadTimeoutException"`, chain.Silent, 3},
		{`"cause:io.netty.handler.timeout.ReadTimeoutException"`, chain.Stall, 3},
		{`"cause:java.io.IOException"`, chain.ResetFault, 3},
		{`"cause:java.io.IOException"`, chain.Silent, 1},
		{`"Throwable"`, chain.Trickle, 3},
	} {
		client := `webclient: {responseTimeout: "500ms", operators: [{timeout: "2s"}, {retryWhen: {max: 2, filter: [` + row.filter + `]}}]}`
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		if sent, _, _ := played(t, s, row.fault, "api", "pay"); len(sent) != row.sent {
			t.Errorf("%s, %s: sent %v, want %d", row.filter, row.fault, sent, row.sent)
		}
	}
}

func TestATimeoutBeforeRetryWhenIsNoFailureOfTheConnection(t *testing.T) {
	client := `webclient: operators: [{timeout: "1s"}, {retryWhen: {max: 2, filter: ["WebClientRequestException"]}}]`
	s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
	for _, kind := range []chain.FaultKind{chain.Blackhole, chain.Silent} {
		if _, at, _ := played(t, s, kind, "api", "pay"); fmt.Sprint(at) != "1s" {
			t.Errorf("%s ends at %v, want 1s", kind, at)
		}
	}
}

func TestAFilterThatNothingCanMatchIsSaid(t *testing.T) {
	for filter, want := range map[string]string{
		"ReadTimeoutException":                       `ignored-value: filter: what fails on the connection comes as a WebClientRequestException, so that no ReadTimeoutException comes to it; "cause:ReadTimeoutException" asks for the cause`,
		"java.io.IOException":                        `so that no java.io.IOException comes to it; "cause:java.io.IOException" asks for the cause`,
		"io.netty.handler.timeout.TimeoutException":  "ignored-value: filter: WebClient throws no io.netty.handler.timeout.TimeoutException",
		"HttpServerErrorException":                   "ignored-value: filter: WebClient throws no HttpServerErrorException",
		"cause:HttpServerErrorException":             `rejected: filter: "HttpServerErrorException" is the cause of no failure that is known here`,
		"org.springframework.WebClientSomeException": "rejected: filter: \"org.springframework.WebClientSomeException\" is no status",
	} {
		client := `webclient: operators: [{timeout: "1s"}, {retryWhen: {max: 2, filter: ["` + filter + `"]}}]`
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		var got strings.Builder
		for _, n := range s.Notices {
			fmt.Fprintf(&got, "%s: %s\n", n.Kind, n.Message)
		}
		if !strings.Contains(got.String(), want) {
			t.Errorf("%s: %s want %s", filter, got.String(), want)
		}
	}
}

func TestWhatARetryUsedUpComesAsAnExceptionOfItsOwn(t *testing.T) {
	const used = "a retryWhen before it repeats after 503, and then throws RetryExhaustedException"
	for _, row := range []struct {
		operators string
		sent      int
		says      string // "" is nothing
	}{
		{`{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["503"]}}`, 2, used},
		{`{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["503", "RetryExhaustedException"]}}`, 4, used},
		{`{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["5xx"]}}`, 2, ""}, // of the others it is
		{`{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["reactor.core.Exceptions$RetryExhaustedException"]}}`, 4, ""},
		{`{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["Exception"]}}`, 4, ""},
		{`{retryWhen: {max: 1, filter: ["503"], onRetryExhaustedThrow: "failure"}}, {retryWhen: {max: 1, filter: ["503"]}}`, 4, ""},
		{`{retryWhen: {max: 1, filter: ["RetryExhaustedException"]}}`, 1, "no retryWhen stands before it, so that no RetryExhaustedException comes to it"},
	} {
		s := resolveText(t, jvmStack(``, `webclient: operators: [`+row.operators+`]`, "external: {}", "GET /"))
		if sent, _, _ := played(t, s, chain.Unavailable, "api", "pay"); len(sent) != row.sent {
			t.Errorf("%s: sent %v, want %d", row.operators, sent, row.sent)
		}
		if said := fmt.Sprint(s.Notices); !strings.Contains(said, row.says) || row.says == "" && len(s.Notices) > 0 {
			t.Errorf("%s: said %s, want %q", row.operators, said, row.says)
		}
	}
}
