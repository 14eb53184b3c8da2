package haproxy

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// program is the HAProxy of the system, without which the proof is worth nothing.
func program(t testing.TB) string {
	t.Helper()
	for _, p := range []string{"haproxy", "/usr/sbin/haproxy"} {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	t.Fatal("no haproxy in PATH or /usr/sbin: run `make test`, which brings it")
	return ""
}

// install writes what is emitted for s, and a configuration with a frontend of one's
// own on a port, and returns the arguments that load both.
func install(t testing.TB, s *chain.Stack, port int, own string) []string {
	t.Helper()
	files, _, err := Target.Emit(s, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, emit.File{Name: "own.cfg", Content: fmt.Appendf(nil, "frontend web from proxy\n    bind 127.0.0.1:%d\n    default_backend api\n%s", port, own)})
	dir := t.TempDir()
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	return []string{"-f", filepath.Join(dir, files[0].Name), "-f", filepath.Join(dir, "own.cfg")}
}

func TestHAProxyAcceptsIt(t *testing.T) {
	bin := program(t)
	tls := sample.Balanced()
	sample.Node(tls.Routes[0], "proxy").Calls()[0].TLS = true
	for name, tc := range map[string]struct {
		stack *chain.Stack
		own   string
	}{
		"balanced": {sample.Balanced(), ""},
		"full":     {full(), "backend report from proxy-report\n    server one 127.0.0.1:9\n"},
		"TLS":      {tls, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(bin, append([]string{"-c", "-V"}, install(t, tc.stack, 8080, tc.own)...)...).CombinedOutput()
			if err != nil || strings.Contains(string(out), "[WARNING]") {
				t.Errorf("haproxy -c: %v\n%s", err, out)
			}
		})
	}
}

// A silent server gives HAProxy's own 504 at timeout server, and a server that works
// on all that it may a 503 at timeout queue, as the trace says.
func TestFaults(t *testing.T) { retake.Test(t, faults) }

func faults(t testing.TB) {
	bin := program(t)
	s := sample.Balanced()
	n := sample.Node(s.Routes[0], "proxy")
	sample.Set(n, "backend", "server", golden.Serve(t, ""))
	sample.Set(n, "backend.default-server", "maxconn", "1")
	sample.Set(n, "backend.timeout", "server", "2s")
	sample.Set(n, "defaults.timeout", "queue", "700ms")
	c := n.Calls()[0]
	for i := range c.Layers[0].Limits {
		switch l := &c.Layers[0].Limits[i]; l.Kind {
		case chain.PoolWait:
			l.Bound = 700 * time.Millisecond
		case chain.WriteGap, chain.ResponseHeader, chain.ResponseReadGap:
			l.Bound = 2 * time.Second
		}
	}
	c.Pool = &chain.Pool{PerHost: chain.Size{N: 1, Origin: chain.Origin{Source: chain.Written, Setting: "x"}}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command(bin, append([]string{"-db"}, install(t, s, port, "")...)...)
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	for range 100 {
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}

	type end struct {
		status int
		took   time.Duration
	}
	get := func() end {
		start := time.Now()
		resp, err := http.Get("http://" + l.Addr().String() + "/")
		if err != nil {
			t.Error(err)
			return end{}
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		return end{resp.StatusCode, time.Since(start)}
	}
	first := make(chan end)
	go func() { first <- get() }()
	time.Sleep(200 * time.Millisecond)
	queued := get()
	for _, tc := range []struct {
		fault chain.FaultKind
		got   end
	}{{chain.Saturated, queued}, {chain.Silent, <-first}} {
		want := outcome(t, s, tc.fault)
		if tc.got.status != want.status || tc.got.took < want.took-100*time.Millisecond || tc.got.took > want.took+700*time.Millisecond {
			t.Errorf("%s: %d after %v, want %d after %v", tc.fault, tc.got.status, tc.got.took, want.status, want.took)
		}
	}
}

// outcome is what the trace says that HAProxy answers under a fault, and when.
func outcome(t testing.TB, s *chain.Stack, k chain.FaultKind) struct {
	status int
	took   time.Duration
} {
	t.Helper()
	n := sample.Node(s.Routes[0], "proxy")
	for _, e := range chain.Play(s.Routes[0], chain.Fault{Kind: k, Call: n.Calls()[0], From: n}).Events {
		if e.Kind == chain.EvAnswers && e.Node == n {
			return struct {
				status int
				took   time.Duration
			}{e.Status, e.At}
		}
	}
	t.Fatalf("%s: HAProxy does not answer", k)
	panic("not reached")
}
