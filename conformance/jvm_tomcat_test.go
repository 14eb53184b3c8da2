package conformance

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/jvm"
	"tchain.dev/tchain/internal/retake"
)

func startTomcat(t *testing.T, d *jvm.Driver, settings string) (port int) {
	t.Helper()
	r, err := d.Run(jvm.Scenario{Driver: "tomcat", Settings: []byte(settings)})
	if err != nil || r.Port == 0 {
		t.Fatalf("tomcat does not start: %+v, %v", r, err)
	}
	return r.Port
}

// warmTomcat has its classes loaded.
func warmTomcat(t *testing.T, d *jvm.Driver) {
	t.Helper()
	tomcatScenario{send: strings.Replace(tomcatGet, "keep-alive", "close", 1)}.meet(t, startTomcat(t, d, `{}`), JVMPrediction{})
}

func runTomcat(t *testing.T, d *jvm.Driver, s tomcatScenario, variant string) {
	port := startTomcat(t, d, s.settings)
	limit, announces := modelTomcat(t, s, d.Versions["tomcat-embed-core"])
	want := JVMPrediction{Status: s.status, Error: "close", Attempts: jvmNotSeen, ElapsedMS: int((s.after + limit.Bound) / time.Millisecond)}
	_, want.Setting, _ = strings.Cut(limit.Origin.Setting, ".tomcat.")
	if s.announce != "" && s.announce != announces {
		t.Errorf("tchain has it announce %q, the scenario %q", announces, s.announce)
	}
	differences := s.meet(t, port, want)
	for try := 1; try < retake.Most && differences != nil; try++ {
		differences = s.meet(t, port, want)
	}
	row := JVMScenario{Name: s.name, Product: "tomcat"}
	recordJVM(row, variant, versionOf("tomcat", d.Versions), want, differences)
	for _, line := range differences {
		t.Errorf("tomcat %s: %s: predicted %v: %s", versionOf("tomcat", d.Versions), s.name, want, line)
	}
}

// modelTomcat is the limit of the scenario's kind as tchain resolves it, and what
// the server announces.
func modelTomcat(t *testing.T, s tomcatScenario, version string) (chain.Limit, string) {
	t.Helper()
	stack, err := jvmCompiled(fmt.Sprintf(`package s

tchain: "v1"
name: "s"
layers: {
	web: browser: {}
	api: app: server: tomcat: %s & {version: %q}
}
path: ["web", "api"]
routes: "/": {}
`, s.settings, version))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range stack.Routes[0].Nodes() {
		if l, ok := n.ServeLimit(s.kind); n.Layer == "api" && ok {
			return l, fmt.Sprintf("timeout=%d", n.Announces.D/time.Second)
		}
	}
	t.Fatalf("tchain has no limit %s", s.kind)
	return chain.Limit{}, ""
}

// meet plays the client and says where what happens differs.
func (s tomcatScenario) meet(t *testing.T, port int, want JVMPrediction) []string {
	t.Helper()
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	begun := time.Now()
	c.SetDeadline(begun.Add(15 * time.Second))
	io.WriteString(c, s.send)
	go func() {
		for _, b := range []byte(s.drip) {
			time.Sleep(300 * time.Millisecond)
			c.Write([]byte{b})
		}
	}()
	var out []string
	in := bufio.NewReader(c)
	status, announce, ms := 0, "", 0
	since := func() int { return int(time.Since(begun).Milliseconds()) }
	if resp, err := http.ReadResponse(in, nil); err == nil {
		ms = since()
		io.Copy(io.Discard, resp.Body)
		status, announce = resp.StatusCode, resp.Header.Get("Keep-Alive")
	}
	_, err = io.Copy(io.Discard, in)
	if s.kind != chain.RequestBodyRead { // there it is the answer that ends it
		ms = since()
	}
	t.Logf("%d ms, status %d, Keep-Alive %q, %v", ms, status, announce, err)
	if status != s.status {
		out = append(out, fmt.Sprintf("status: predicted %d, observed %d", s.status, status))
	}
	if announce != s.announce {
		out = append(out, fmt.Sprintf("Keep-Alive: predicted %q, observed %q", s.announce, announce))
	}
	tol := Tolerances["tomcat"]
	if off := time.Duration(ms-want.ElapsedMS) * time.Millisecond; off < -tol.Early || off > tol.Late {
		out = append(out, fmt.Sprintf("elapsed: predicted %d ms, observed %d ms", want.ElapsedMS, ms))
	}
	return out
}
