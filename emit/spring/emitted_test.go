package spring

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/jvm"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// variants are the releases that the classes are compiled and run with: Spring 6.2
// with HttpClient 5.5, and Spring 7.0 with HttpClient 5.6.
var variants = []string{"boot35", "boot41"}

// build compiles what is emitted for s, and its driver, and returns the class path.
func build(t testing.TB, s *chain.Stack, variant, driver string) string {
	t.Helper()
	retake.Real(t)
	files, _, err := Target.Emit(s, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	jars, err := jvm.Classpath(variant)
	if err != nil {
		t.Fatal(err)
	}
	javac, err := jvm.JDK("javac")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--release", "17", "-proc:none", "-Xlint:all,-deprecation,-removal,-classfile,-processing", "-Werror", "-d", dir, "-cp", jars, "testdata/Timed.java", "testdata/Observed.java", "testdata/" + driver + ".java"}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".java") {
			args = append(args, filepath.Join(dir, f.Name))
		}
	}
	out, err := exec.Command(javac, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("javac with %s: %v\n%s", variant, err, out)
	}
	return dir + string(os.PathListSeparator) + jars
}

func run(t testing.TB, driver, classpath string, args ...string) []string {
	t.Helper()
	java, err := jvm.JDK("java")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(java, append([]string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classpath, "upstream." + driver}, args...)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", driver, err, out, said.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// failsWith is the exception of each limit.
var failsWith = map[chain.Kind]string{chain.PoolWait: "ConnectionRequestTimeoutException", chain.TLSHandshake: "ConnectTimeoutException",
	chain.ResponseFirstByte: "SocketTimeoutException", chain.ResponseReadGap: "SocketTimeoutException"}

// The beans have the numbers of the stack, and their calls end where its trace says.
func TestValuesAndFaults(t *testing.T) {
	s := golden.Quick(sample.Insurance())
	sample.Node(s.Routes[0], "api").Deadline = chain.Deadline{}
	faults := []struct {
		kind  chain.FaultKind
		url   string
		calls int
	}{
		{chain.Silent, "http://" + golden.Serve(t, ""), 1},
		{chain.TLSStall, "https://" + golden.Serve(t, ""), 1},
		{chain.Stall, "http://" + golden.Serve(t, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx"), 1},
		{chain.Saturated, "http://" + golden.Serve(t, ""), 3},
	}
	var args []string
	for _, f := range faults {
		args = append(args, f.url, strconv.Itoa(f.calls))
	}
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			classes := build(t, s, variant, "ReadBack")
			retake.Test(t, func(t testing.TB) {
				lines := run(t, "ReadBack", classes, args...)
				if want := "values 2 2 300 500 700 1500 30000 2000"; lines[0] != want {
					t.Errorf("the beans have %s, want %s", lines[0], want)
				}
				for i, f := range faults {
					limit, at := golden.GivesUp(t, s, f.kind)
					for _, line := range lines[1+2*i : 3+2*i] {
						var who, ended, observed string
						var ms int
						if _, err := fmt.Sscan(line, &who, &ended, &ms, &observed); err != nil {
							t.Fatalf("%q: %v", line, err)
						}
						if observed != "[http.client.requests]" {
							t.Errorf("%s, %s: observed as %s", who, f.kind, observed)
						}
						if took := time.Duration(ms) * time.Millisecond; ended != failsWith[limit.Kind] || took < at-50*time.Millisecond || took > at+700*time.Millisecond {
							t.Errorf("%s, %s: %s after %dms, want %s after %v", who, f.kind, ended, ms, failsWith[limit.Kind], at)
						}
					}
				}
			})
		})
	}
}

// A path's own limit counts for its calls only, and the most specific path's.
func TestPathsHaveTheirOwnLimit(t *testing.T) {
	s := byPath()
	for i, d := range []time.Duration{2 * time.Second, 500 * time.Millisecond, 1200 * time.Millisecond} {
		bound(call(s, i), chain.ResponseFirstByte, d)
		bound(call(s, i), chain.ResponseReadGap, d)
		call(s, i).Layers[0].Retry = nil
	}
	at := "http://" + golden.Serve(t, "")
	want := map[string]int{"/balance": 500, "/u/7/x": 1200, "/balance/x": 2000}
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			classes := build(t, s, variant, "ReadBack")
			retake.Test(t, func(t testing.TB) {
				lines := run(t, "ReadBack", classes, at+"/balance", "1", at+"/u/7/x", "1", at+"/balance/x", "1")
				for i, p := range []string{"/balance", "/u/7/x", "/balance/x"} {
					for _, line := range lines[1+2*i : 3+2*i] {
						var who, ended string
						var ms int
						if _, err := fmt.Sscan(line, &who, &ended, &ms); err != nil || ended != "SocketTimeoutException" || ms < want[p]-50 || ms > want[p]+700 {
							t.Errorf("%s: %s, want SocketTimeoutException after %dms; %v", p, line, want[p], err)
						}
					}
				}
			})
		})
	}
}

func TestPropertiesAreYAMLOfBoot(t *testing.T) {
	files, _ := golden.Emit(t, Target, byPath())
	var got struct {
		Server struct {
			Shutdown string
			Tomcat   struct {
				ConnectionTimeout    string `yaml:"connection-timeout"`
				KeepAliveTimeout     string `yaml:"keep-alive-timeout"`
				MaxKeepAliveRequests int    `yaml:"max-keep-alive-requests"`
				MaxConnections       int    `yaml:"max-connections"`
				AcceptCount          int    `yaml:"accept-count"`
				Threads              struct {
					Max      int
					MinSpare int `yaml:"min-spare"`
				}
			}
		}
		Spring struct {
			Lifecycle struct {
				TimeoutPerShutdownPhase string `yaml:"timeout-per-shutdown-phase"`
			}
			MVC struct {
				Async struct {
					RequestTimeout string `yaml:"request-timeout"`
				}
			} `yaml:"mvc"`
		}
	}
	d := yaml.NewDecoder(strings.NewReader(files["application.yml"]))
	d.KnownFields(true)
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if tc := got.Server.Tomcat; tc.ConnectionTimeout != "60s" || tc.KeepAliveTimeout != "75s" || tc.MaxKeepAliveRequests != 100 || tc.MaxConnections != 8192 ||
		tc.AcceptCount != 100 || tc.Threads.Max != 200 || tc.Threads.MinSpare != 10 || got.Spring.MVC.Async.RequestTimeout != "30s" ||
		got.Server.Shutdown != "graceful" || got.Spring.Lifecycle.TimeoutPerShutdownPhase != "20s" {
		t.Errorf("%+v", got)
	}
}

// A WebClient's attempts, repeats and the limit around them end where the trace says.
func TestWebClient(t *testing.T) {
	s := web()
	faults := []struct {
		kind  chain.FaultKind
		url   string
		calls int
		ended string
	}{
		{chain.Silent, "http://" + golden.Serve(t, ""), 1, "TimeoutException"},
		{chain.TLSStall, "https://" + golden.Serve(t, ""), 1, "SslHandshakeTimeoutException"},
		{chain.Saturated, "http://" + golden.Serve(t, ""), 3, "PoolAcquireTimeoutException"},
	}
	var args []string
	for _, f := range faults {
		args = append(args, f.url, strconv.Itoa(f.calls))
	}
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			classes := build(t, s, variant, "ReadBackWeb")
			retake.Test(t, func(t testing.TB) {
				lines := run(t, "ReadBackWeb", classes, args...)
				if want := "values {default=2} 500 1500 true"; !slices.Contains([]string{want, strings.Replace(want, "{default=2}", "2", 1)}, lines[0]) {
					t.Errorf("the beans have %s, want %s", lines[0], want)
				}
				for i, f := range faults {
					at := lastGivesUp(t, s, f.kind)
					var who, ended, observed string
					var ms int
					if _, err := fmt.Sscan(lines[1+i], &who, &ended, &ms, &observed); err != nil {
						t.Fatalf("%q: %v", lines[1+i], err)
					}
					if observed != "[http.client.requests]" {
						t.Errorf("%s: observed as %s", f.kind, observed)
					}
					if took := time.Duration(ms) * time.Millisecond; ended != f.ended || took < at-50*time.Millisecond || took > at+700*time.Millisecond {
						t.Errorf("%s: %s after %dms, want %s after %v", f.kind, ended, ms, f.ended, at)
					}
				}
			})
		})
	}
}

// lastGivesUp is when the app gives up on its callee for good.
func lastGivesUp(t testing.TB, s *chain.Stack, k chain.FaultKind) (at time.Duration) {
	t.Helper()
	r := *s.Routes[0]
	r.Root = sample.Node(s.Routes[0], "api")
	for _, e := range chain.Play(&r, chain.Fault{Kind: k, Call: r.Root.Calls()[0], From: r.Root}).Events {
		if e.Kind == chain.EvTimeout && e.Node == r.Root {
			at = e.At
		}
	}
	return at
}
