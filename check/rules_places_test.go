package check_test

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func TestAFindingOfAWholeClientOrStepStandsWhereThatIsWritten(t *testing.T) {
	const head = `package s
tchain: "v1"
name:   "s"
layers: {
	"my api": app: {
		clients: {
`
	for _, row := range []struct{ n, rule, text, method, want string }{
		{"a body without a limit, at the client", "no-limit", `			quotes: {to: ["price"], jdkHttpClient: {version: "17", builder: connectTimeout: "1s", request: timeout: "2s"}}
		}
		calls: [{price: {}}]
	}
	price: {endpoint: scheme: "http", external: {}}
}
`, "GET", `7:4 "my api".app.clients.quotes`},
		{"one that the route's path means", "no-limit", `			quotes: {to: ["price"], jdkHttpClient: {version: "17", builder: connectTimeout: "1s", request: timeout: "2s"}}
		}
	}
	price: {endpoint: scheme: "http", external: {}}
}
`, "GET", `7:4 "my api".app.clients.quotes`},
		{"a payment that may be made twice, at the step", "retry-unsafe", `			card: gohttp: Timeout: "1s"
			wallet: gohttp: Timeout: "1s"
		}
		calls: [{card: fallback: true}, {wallet: {}}]
	}
	card: external: {}
	wallet: external: {}
}
`, "POST", `10:36 "my api".app.calls[1].wallet`},
	} {
		path := `["my api"]`
		if strings.Contains(row.text, "price:") {
			path = `["my api", "price"]`
		}
		s := stackOf(t, head+row.text+`routes: "`+row.method+` /": path: `+path+"\n")
		got := ""
		for _, f := range check.Find(row.rule).Run(s) {
			got += fmt.Sprintf("%d:%d %s", f.Pos.Line, f.Pos.Column, f.Setting)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.n, got, row.want)
		}
	}
}
