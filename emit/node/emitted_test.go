package node

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// strict is the compiler's configuration; lib says which world the code runs in.
func strict(lib, types, files string) string {
	return `{"compilerOptions": {"strict": true, "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true, "noImplicitReturns": true,
	"noImplicitOverride": true, "noUnusedLocals": true, "noUnusedParameters": true, "noPropertyAccessFromIndexSignature": true, "erasableSyntaxOnly": true,
	"verbatimModuleSyntax": true, "isolatedModules": true, "target": "es2022", "module": "nodenext", "lib": [` + lib + `], "types": [` + types + `]}, "files": [` + files + `]}`
}

// build compiles what is emitted for s, in a directory of its own, with the
// packages that conformance/node/bring put into the cache.
func build(t testing.TB, s *chain.Stack) string {
	t.Helper()
	retake.Real(t)
	files, _, err := Target.Emit(s, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	packages := filepath.Join(cache, "tchain", "node-emitted", "node_modules")
	if _, err := os.Stat(packages); err != nil {
		t.Fatal("TypeScript is missing: run make test")
	}
	dir := t.TempDir()
	var node, browser []string
	for _, f := range files {
		if strings.HasSuffix(f.Name, "_fetch.ts") {
			browser = append(browser, strconv.Quote(f.Name))
		} else {
			node = append(node, strconv.Quote(f.Name))
		}
	}
	driver, err := os.ReadFile("testdata/driver.mjs")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files,
		emit.File{Name: "package.json", Content: []byte(`{"type": "module"}`)},
		emit.File{Name: "driver.mjs", Content: driver},
		emit.File{Name: "node.json", Content: []byte(strict(`"es2023"`, `"node"`, strings.Join(node, ", ")))},
		emit.File{Name: "browser.json", Content: []byte(strict(`"es2023", "dom"`, "", strings.Join(browser, ", ")))})
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(packages, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, project := range []string{"node.json", "browser.json"} {
		cmd := exec.Command(filepath.Join(packages, ".bin", "tsc"), "-p", project)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("tsc -p %s: %v\n%s", project, err, out)
		}
	}
	return dir
}

// An end is how one call of the driver ended.
type end struct {
	Ended string
	MS    int
}

func run(t testing.TB, dir string, args ...string) (ends []end) {
	t.Helper()
	node(t, dir, &ends, append([]string{"driver.mjs"}, args...)...)
	return ends
}

// node runs Node in dir and reads the JSON that it prints.
func node(t testing.TB, dir string, out any, args ...string) {
	t.Helper()
	cmd := exec.Command("node", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_NO_WARNINGS=1")
	text, err := cmd.CombinedOutput()
	if err != nil || json.Unmarshal(text, out) != nil {
		t.Fatalf("node: %v\n%s", err, text)
	}
}

// quick is the sample with limits that a test can wait for, all different.
func quick() *chain.Stack {
	s := golden.Quick(nodeApp())
	d := &sample.Node(s.Routes[0], "api").Deadline
	d.Total.D, d.PerCall.D, d.Reserve.D = 6*time.Second, 3500*time.Millisecond, 500*time.Millisecond
	return s
}

// limitOf is what the clients call a limit of the model.
var limitOf = map[chain.Kind]string{chain.PoolWait: "poolWait", chain.Connect: "connect", chain.TLSHandshake: "tls", chain.ResponseFirstByte: "header",
	chain.ResponseReadGap: "gap", chain.AttemptDeadline: "perCall", chain.TotalDeadline: "perCall"}

// predict is when and by which limit the app gives up on its callee.
func predict(t testing.TB, s *chain.Stack, k chain.FaultKind) (string, time.Duration) {
	t.Helper()
	l, at := golden.GivesUp(t, s, k)
	if l.Origin.Setting == "api.app.deadline.perCall" {
		return "perCall", at
	}
	return limitOf[l.Kind], at
}

// The emitted clients end where the trace of the stack says, and give their place
// in the pool back.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := quick()
	dir := build(t, s)
	for _, tc := range []struct {
		fault chain.FaultKind
		url   string
		calls int
	}{
		{chain.Silent, "http://" + golden.Serve(t, ""), 1},
		{chain.TLSStall, "https://" + golden.Serve(t, ""), 1},
		{chain.Stall, "http://" + golden.Serve(t, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx"), 1},
		{chain.Trickle, "http://" + golden.Serve(t, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", "x"), 1},
		{chain.Saturated, "http://" + golden.Serve(t, ""), 3},
	} {
		for _, kind := range []string{"node", "undici"} {
			limit, at := predict(t, s, tc.fault)
			late := 400 * time.Millisecond
			if kind == "undici" && (limit == "header" || limit == "gap" || limit == "tls") {
				late = 1500 * time.Millisecond // it looks at them about twice a second
				if limit == "tls" {
					limit, at = "connect", at+500*time.Millisecond // both are one limit
				}
			}
			retake.Test(t, func(t testing.TB) {
				ends := run(t, dir, kind, tc.url, strconv.Itoa(tc.calls), "{}")
				got := ends[tc.calls-1]
				if took := time.Duration(got.MS) * time.Millisecond; got.Ended != limit || took < at-50*time.Millisecond || took > at+late {
					t.Errorf("%s, %s: ended by %s after %dms, want %s after %v", kind, tc.fault, got.Ended, got.MS, limit, at)
				}
				if last := ends[tc.calls]; last.Ended == "poolWait" {
					t.Errorf("%s, %s: a place in the pool is lost", kind, tc.fault)
				}
			})
		}
	}
}

// What the caller gives ends a call as well, and a call that is answered leaves a
// whole pool behind.
func TestCallersEnd(t *testing.T) {
	t.Parallel()
	dir := build(t, quick())
	silent, answers := "http://"+golden.Serve(t, ""), "http://"+golden.Serve(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	for _, tc := range []struct {
		name, url, options, want string
		at                       int
	}{
		{"a deadline, less the reserve", silent, `{"deadlineIn": 1300}`, "deadline", 800},
		{"a deadline that has passed", silent, `{"deadlineIn": 400}`, "deadline", 0},
		{"a signal", silent, `{"abortIn": 600}`, "TimeoutError", 600},
		{"an answer", answers, "{}", "200 ok", 0},
		{"an answer to a body", answers, `{"method": "POST", "body": "x"}`, "200 ok", 0},
	} {
		for _, kind := range []string{"node", "undici"} {
			retake.Test(t, func(t testing.TB) {
				for i, got := range run(t, dir, kind, tc.url, "2", tc.options) {
					if got.Ended != tc.want || got.MS < tc.at-50 || got.MS > tc.at+400 {
						t.Errorf("%s, %s: call %d ended by %s after %dms, want %s after %dms", kind, tc.name, i, got.Ended, got.MS, tc.want, tc.at)
					}
				}
			})
		}
	}
}

// The server's numbers are read back from a server, and the browser's fetch ends
// where it says: Node has the same fetch and AbortSignal.
func TestServerAndFetch(t *testing.T) {
	t.Parallel()
	s := served(map[string]string{"keepAliveTimeout": "65000", "headersTimeout": "20000", "requestTimeout": "40000", "connectionsCheckingInterval": "500", "timeout": "90000", "maxRequestsPerSocket": "1000"})
	bound(sample.Node(s.Routes[0], "web").Calls()[0], chain.TotalDeadline, 900*time.Millisecond)
	dir := build(t, s)
	retake.Test(t, func(t testing.TB) { serverAndFetch(t, dir) })
}

func serverAndFetch(t testing.TB, dir string) {
	var got struct {
		Timers []int
		end
	}
	node(t, dir, &got, "--input-type=module", "-e", `
import { createServer } from "node:http";
import { apiServerLimits, apiServerOptions } from "./api_server.js";
import { webFetch } from "./web_fetch.js";
const s = apiServerLimits(createServer(apiServerOptions));
const Timers = [s.headersTimeout, s.requestTimeout, s.keepAliveTimeout, s.timeout, s.maxRequestsPerSocket];
const start = performance.now();
const Ended = await webFetch("GET /v1/affiliation/health-insurance", "http://`+golden.Serve(t, "")+`").catch((err) => err.name);
console.log(JSON.stringify({ Timers, Ended, MS: Math.round(performance.now() - start) }));
process.exit(0);`)
	if want := []int{20000, 40000, 65000, 90000, 1000}; !slices.Equal(got.Timers, want) {
		t.Errorf("the server has %v, want %v", got.Timers, want)
	}
	if got.Ended != "TimeoutError" || got.MS < 850 || got.MS > 1300 {
		t.Errorf("fetch ended by %s after %dms, want TimeoutError after 900ms", got.Ended, got.MS)
	}
}
