package spring

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// stackAt is the stack of a directory as the command reads it.
func stackAt(t testing.TB, dir string) *chain.Stack {
	t.Helper()
	var out *compile.Unit
	compile.Each([]string{dir}, compile.Options{}, func(u *compile.Unit) { out = u })
	if out == nil || out.Errors != nil {
		t.Fatalf("%s: %+v", dir, out)
	}
	return out.Stack
}

// stackOf is a stack that is written out.
func stackOf(t testing.TB, text string) *chain.Stack {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte("package shop\n\ntchain: \"v1\"\nname: \"shop\"\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	return stackAt(t, dir)
}

// givesUp is when the app gives up on its callee under a fault on one of the routes.
func givesUp(t testing.TB, s *chain.Stack, route int, k chain.FaultKind) time.Duration {
	t.Helper()
	one := *s
	one.Routes = s.Routes[route : route+1]
	_, at := golden.GivesUp(t, &one, k)
	return at
}

// The stack of a RestTemplate in which a context and the factory decide three limits of
// a call by its path: pool wait, connecting with its handshake, and response.
func TestThreeLimitsThatDifferByPath(t *testing.T) {
	s := stackAt(t, "../../examples/resttemplate")
	plain, secured := "http://"+golden.Serve(t, ""), "https://"+golden.Serve(t, "")
	calls := []struct {
		method, url, values string
		route               int
		fault               chain.FaultKind
		ended               string
	}{
		{"GET", plain + "/balance", "3000 MILLISECONDS 1000 MILLISECONDS 300 MILLISECONDS", 0, chain.Silent, "SocketTimeoutException"},
		{"HEAD", plain + "/balance", "3000 MILLISECONDS 1000 MILLISECONDS 300 MILLISECONDS", 0, chain.Silent, "SocketTimeoutException"},
		{"GET", secured + "/settlement/report", "3000 MILLISECONDS 1000 MILLISECONDS 10000 MILLISECONDS", 1, chain.TLSStall, "ConnectTimeoutException"},
		{"GET", secured + "/transfers/7", "5000 MILLISECONDS 3000 MILLISECONDS 5000 MILLISECONDS", 2, chain.TLSStall, "ConnectTimeoutException"},
	}
	args := []string{"BankClientConfiguration"}
	for _, c := range calls {
		args = append(args, c.method, c.url)
	}
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			classes := build(t, s, variant, "ReadBackPaths")
			retake.Test(t, func(t testing.TB) {
				lines := run(t, "ReadBackPaths", classes, args...)
				if lines[0] != "handshake null" {
					t.Errorf("%s, want none of its own: it follows that of connecting", lines[0])
				}
				for i, c := range calls {
					values, result, _ := strings.Cut(lines[1+i], ", ")
					var ended string
					var ms int
					if _, err := fmt.Sscan(result, &ended, &ms); err != nil {
						t.Fatalf("%q: %v", lines[1+i], err)
					}
					at := givesUp(t, s, c.route, c.fault)
					if took := time.Duration(ms) * time.Millisecond; values != c.values+" true 50 false" || ended != c.ended || took < at-50*time.Millisecond || took > at+700*time.Millisecond {
						t.Errorf("%s %s: %s, want %s and %s after %v", c.method, c.url, lines[1+i], c.values, c.ended, at)
					}
				}
			})
		})
	}
}

const switching = `layers: {
	api: {instances: 1, app: {
		runtime: springBoot: "3.5.9"
		clients: bank: httpclient5: {
			manager: {connectionConfig: connectTimeout: "1s", poolConcurrencyPolicy: "LAX"}
			client: {
				requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s", maxRedirects: 9}
				http1Config: waitForContinueTimeout: "2s"
			}
			context: {
				"/a": {copyOf: "client", redirectsEnabled: false}
				"/b": {expectContinueEnabled: true, responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}
			}
		}
	}}
	bank: {endpoint: {scheme: "https", redirects: 2}, external: {idleKeepalive: "60s"}}
}
path: ["api", "bank"]
routes: {"GET /a": {}, "POST /b": {}, "/b": {}, "GET /c": {}}
`

// What a context says besides times is its own where it is, a copy of the client's where
// it is a copy, else the default of the object.
func TestSwitchesThatDifferByPath(t *testing.T) {
	s := stackOf(t, switching)
	files, _ := golden.Emit(t, Target, s)
	text := files["BankClientConfiguration.java"]
	at := -1
	for _, want := range []string{
		"boolean REDIRECTS = true; // default of httpclient5 5.5.1: redirectsEnabled", "int MAX_REDIRECTS = 9;", "boolean EXPECT_CONTINUE = false;",
		"Timeout WAIT_FOR_CONTINUE = Timeout.ofMilliseconds(2_000);", "PoolConcurrencyPolicy POLICY = PoolConcurrencyPolicy.LAX;", ".setMaxRedirects(MAX_REDIRECTS)",
		`Own.of("GET", "/a", limits`, `.setRedirectsEnabled(false) // api.app.clients.bank.httpclient5.context."/a".redirectsEnabled`, ".setMaxRedirects(9)", ".setExpectContinueEnabled(false)",
		`Own.of("POST", "/b", limits`, ".setRedirectsEnabled(true)", ".setMaxRedirects(50)", `.setExpectContinueEnabled(true)), // api.app.clients.bank.httpclient5.context."/b".expectContinueEnabled`,
		`Own.of("GET", "/c", limits`, `Own.of(null, "/b", limits`,
		".setPoolConcurrencyPolicy(POLICY)", ".setRequestExecutor(new HttpRequestExecutor(Http1Config.custom().setWaitForContinueTimeout(WAIT_FOR_CONTINUE).build(), null, null))",
	} {
		next := strings.Index(text[at+1:], want)
		if next < 0 {
			t.Fatalf("no %q in its place in\n%s", want, text)
		}
		at += 1 + next
	}
	for i, want := range []int{0, 2, 2, 2} { // redirects followed, as the model has it
		if got := sample.Node(s.Routes[i], "api").Calls()[0].Redirects; got != want {
			t.Errorf("%s follows %d redirects, want %d", s.Routes[i].Name, got, want)
		}
	}
	url := "http://" + golden.Serve(t, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			lines := run(t, "ReadBackPaths", build(t, s, variant, "ReadBackPaths"), "BankClientConfiguration", "GET", url+"/a", "POST", url+"/b", "PUT", url+"/b", "GET", url+"/x")
			for i, want := range []string{"false 9 false, null ", "true 50 true, null ", "true 50 true, null ", "the client's own"} {
				if !strings.Contains(lines[1+i], want) {
					t.Errorf("%q, want %q", lines[1+i], want)
				}
			}
		})
	}
}

const onEveryRoute = `layers: {
	api: {instances: 1, app: {
		runtime: springBoot: "3.5.9"
		clients: bank: httpclient5: {
			manager: connectionConfig: connectTimeout: "1s"
			client: requestConfig: {responseTimeout: "2s", connectionRequestTimeout: "1s", connectionKeepAlive: "20s"}
			context: {
				"/a/{id}": {copyOf: "client", responseTimeout: "3s"}
				"/c/": {copyOf: "client", responseTimeout: "5s", connectTimeout: "700ms", connectionRequestTimeout: "400ms", maxRedirects: 3}
			}
		}
	}}
	bank: {endpoint: scheme: "https", external: idleKeepalive: "60s"}
}
path: ["api", "bank"]
routes: {"GET /a/{id}": {}, "GET /c/": {}}
`

// A path that no context is for has the client's configuration, also where the contexts
// of all routes decide otherwise.
func TestThePathsOfNoContextHaveTheClientsOwnLimits(t *testing.T) {
	const client = "; // api.app.clients.bank.httpclient5."
	for name, row := range map[string]struct{ routes, response, connect, wait string }{
		"two routes": {`"GET /a/{id}": {}, "GET /c/": {}`, "2_000", "1_000", "1_000"},
		"one route":  {`"GET /c/": {}`, "2_000", "1_000", "1_000"},
	} {
		s := stackOf(t, strings.Replace(onEveryRoute, `"GET /a/{id}": {}, "GET /c/": {}`, row.routes, 1))
		files, _ := golden.Emit(t, Target, s)
		text := files["BankClientConfiguration.java"]
		for _, want := range []string{
			"RESPONSE = Timeout.ofMilliseconds(" + row.response + ")" + client + "client.requestConfig.responseTimeout\n",
			"CONNECT = Timeout.ofMilliseconds(" + row.connect + ")" + client + "manager.connectionConfig.connectTimeout\n",
			"POOL_WAIT = Timeout.ofMilliseconds(" + row.wait + ")" + client + "client.requestConfig.connectionRequestTimeout\n",
			".setResponseTimeout(Timeout.ofMilliseconds(5_000))", ".setConnectTimeout(Timeout.ofMilliseconds(700))", ".setConnectionRequestTimeout(Timeout.ofMilliseconds(400))",
			"The handshake has no limit of its own",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}

// What a client has beside the factory is not known without a release: it is told.
func TestAClientWhoseOwnLimitIsNotKnownIsTold(t *testing.T) {
	s := stackOf(t, strings.Replace(onEveryRoute, "context: {", `factory: readTimeout: "9s"
			context: {`, 1))
	_, warnings := golden.Emit(t, Target, s)
	for _, w := range warnings {
		if strings.HasSuffix(w, "responseTimeout: RESPONSE of this path is that of all others, too: what they have of the client is not known here") {
			return
		}
	}
	t.Errorf("%q", warnings)
}
