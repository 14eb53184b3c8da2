package check_test

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

// fixesOf are the fixes of the gravest finding of a rule that hold in the whole stack.
func fixesOf(t *testing.T, text, rule string) string {
	t.Helper()
	var out []string
	for _, f := range of(findings(t, text), rule).Fixes {
		out = append(out, f.Message)
	}
	return strings.Join(out, ", ")
}

func TestTheWaitForAPoolIsShortEnoughForEveryRouteThatHasIt(t *testing.T) {
	text := `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: tomcat: {}
		deadline: {perCall: "20s", enforced: true}
		clients: price: custom: {poolWait: "9s", responseHeader: "8s", poolSizePerHost: 5, connect: "1s"}
	}
	price: external: {}
}
path: ["api", "price"]
routes: {
	"GET /slow": {}
	"GET /fast": at: api: app: clients: price: custom: responseHeader: "300ms"
}
`
	if got := fixesOf(t, text, "pool-wait"); got != `line 8 "9s" → "150ms"` {
		t.Errorf("fixes %s", got)
	}
	alone := strings.Replace(text, `at: api: app: clients: price: custom: responseHeader: "300ms"`, "{}", 1)
	if got := fixesOf(t, alone, "pool-wait"); got != `line 8 "9s" → "1s"` {
		t.Errorf("with one read limit, fixes %s", got)
	}
	if f := of(findings(t, text), "pool-wait"); !strings.HasSuffix(f.Message, "no less than the 300ms that it may read; on 1 other route it may read for 8s") || f.Severity != check.Warning || len(f.Routes) != 2 {
		t.Errorf("%s on %v: %s", f.Severity, f.Routes, f.Message)
	}
}

func TestAFindingPointsAtTheLineToEdit(t *testing.T) {
	text := `package shop
tchain: "v1"
name:   "shop"
_slow: "90s"
_pool: maxConnPerRoute: 2
layers: {
	lb: alb: idle_timeout: 20
	api: app: {
		server: tomcat: {}
		deadline: {perCall: "9s", enforced: true}
		clients: {for name in ["price", "stock"] {(name): httpclient5: {version: "5.6.4", manager: _pool, client: requestConfig: responseTimeout: _slow}}}
	}
	price: external: {}
	stock: external: {}
}
routes: {
	"GET /price": {path: ["lb", "api", "price"], tps: 50}
	"GET /stock": {path: ["lb", "api", "stock"], tps: 50}
}
`
	pool := of(findings(t, text), "pool-size")
	if pool.Pos.Line != 5 {
		t.Errorf("pool-size points at line %d: %s", pool.Pos.Line, pool.Message)
	}
	var lines []string
	for _, r := range pool.Related {
		lines = append(lines, fmt.Sprintf("%d %s", r.Pos.Line, r.Message))
	}
	if got := strings.Join(lines, ", "); !strings.Contains(got, "11 is used here") {
		t.Errorf("related are %s", got)
	}
}
