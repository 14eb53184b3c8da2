package conformance

import (
	"net"
	"slices"
	"testing"

	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
	"tchain.dev/tchain/internal/retake"
)

// startJVM starts the JVM of a variant, which ends with the test.
func startJVM(t *testing.T, variant string) *jvm.Driver {
	t.Helper()
	d, err := jvm.Start(variant)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	warm(t, d, variant)
	return d
}

// warmSettings are those that bring more classes with them.
var warmSettings = map[string]string{
	"webclient": `{"httpClient": {"responseTimeout": "9s"}, "operators": [{"timeout": "9s"}, {"retryWhen": {"maxAttempts": 1, "fixedDelay": "1s"}}]}`,
}

// warm has the classes of every product loaded before anything is measured.
func warm(t *testing.T, d *jvm.Driver, variant string) {
	t.Helper()
	works, err := fault.Start(fault.Config{Mode: fault.OK})
	if err != nil {
		t.Fatal(err)
	}
	defer works.Close()
	secure, err := fault.Start(fault.Config{Mode: fault.OK, TLS: true})
	if err != nil {
		t.Fatal(err)
	}
	defer secure.Close()
	seen := map[string]bool{}
	for _, s := range JVMScenarios() {
		if seen[s.Product] || !slices.Contains(s.On, variant) {
			continue
		}
		seen[s.Product] = true
		once(t, d, jvm.Scenario{Driver: s.Product, Settings: []byte(warmSettings[s.Product]), Port: works.Port()})
		if variant != spring626 { // its HttpClient has no such TLS
			once(t, d, jvm.Scenario{Driver: s.Product, Scheme: "https", Port: secure.Port()})
		}
	}
}

func once(t *testing.T, d *jvm.Driver, s jvm.Scenario) {
	t.Helper()
	if r, err := d.Run(s); err != nil || r.Status != 200 {
		t.Fatalf("%s does not run: %+v, %v", s.Driver, r, err)
	}
}

// A jvmServer is the far end of one run.
type jvmServer interface {
	Counts() fault.Counts
	Port() int
	Close()
}

func TestJVM(t *testing.T) {
	for _, variant := range jvm.Variants() {
		driver := startJVM(t, variant)
		if slices.Contains(boots, variant) {
			warmTomcat(t, driver)
		}
		for _, s := range JVMScenarios() {
			if !slices.Contains(s.On, variant) {
				continue
			}
			t.Run(variant+"/"+s.Product+"/"+s.Name, func(t *testing.T) {
				t.Parallel()
				runJVM(t, driver, s, variant)
			})
		}
		for _, s := range tomcatScenarios {
			if !slices.Contains(boots, variant) {
				continue
			}
			t.Run(variant+"/tomcat/"+s.name, func(t *testing.T) {
				t.Parallel()
				runTomcat(t, driver, s, variant)
			})
		}
	}
}

func runJVM(t *testing.T, d *jvm.Driver, s JVMScenario, variant string) {
	want := s.predict(variant)
	r, err := driveJVM(t, d, s)
	for try := 1; try < retake.Most && err == nil && compareJVM(s, want, r) != nil; try++ {
		r, err = driveJVM(t, d, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	if modelledClients[s.Product] != "" && want.Phase != condRejected {
		heldAgainstTheModel(t, s, d.Versions, variant)
	}
	t.Logf("%d ms, header %d ms, status %d, running %v, seen %+v, %s%s", r.ElapsedMS, r.HeaderMS, r.Status, r.Running, r.Seen, r.Message, r.Failed)
	differences := compareJVM(s, want, r)
	recordJVM(s, variant, r.Version, want, differences)
	for _, line := range differences {
		t.Errorf("%s %s: %s: predicted %v: %s", s.Product, r.Version, s.Name, want, line)
	}
}

// heldAgainstTheModel says where tchain predicts something else of the settings
// than the scenario does.
func heldAgainstTheModel(t *testing.T, s JVMScenario, versions map[string]string, variant string) {
	t.Helper()
	want := s.predict(variant)
	model, err := modelJVM(s, versions)
	if err != nil {
		if s.Unmodelled == "" {
			t.Error(err)
		}
		return
	}
	model.Error, model.Connections = want.Error, want.Connections
	if want.Attempts == jvmNotSeen {
		model.Attempts = jvmNotSeen
	}
	if model != want && s.Unmodelled == "" {
		t.Errorf("tchain predicts %v (%s), the scenario %v (%s)", model, model.Phase, want, want.Phase)
	}
	if model == want && s.Unmodelled != "" && len(s.Differs) == 0 {
		t.Error("the model knows this now: remove Unmodelled")
	}
}

// driveJVM runs one scenario on the real product.
// releasedMS is by when a connection is back in its pool: Reactor Netty gives one
// back only after the caller has the answer.
const releasedMS = 100

func driveJVM(t *testing.T, d *jvm.Driver, s JVMScenario) (JVMResult, error) {
	in := jvm.Scenario{
		Driver: s.Product, Before: s.Before, PauseMS: max(s.PauseMS, releasedMS), Hold: s.Hold, Holding: jvm.Request{Path: "/holding"},
		Measured: s.request(), ObserveMS: s.ObserveMS, Host: jvm.Hosts[s.addresses()],
	}
	if s.Settings != "" {
		in.Settings = []byte(s.Settings)
	}
	if s.ObserveMS == 0 {
		in.ObserveMS = 15000
	}
	if s.https() {
		in.Scheme = "https"
	}
	var server jvmServer
	switch {
	case s.Script != nil:
		server = startScript(s.Script)
	case s.Server.Mode != "":
		f, err := fault.Start(s.Server)
		if err != nil {
			return JVMResult{}, err
		}
		server = f
	}
	if server != nil {
		defer server.Close()
		in.Port = server.Port()
	} else {
		in.Port = 443 // of a callee behind a proxy that is never reached
	}
	if s.Proxy != "" {
		proxy, err := fault.Start(fault.Config{Mode: s.Proxy})
		if err != nil {
			return JVMResult{}, err
		}
		defer proxy.Close()
		in.Proxy, in.Host = proxy.Port(), ""
	}
	if s.Nameserver {
		mute, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			return JVMResult{}, err
		}
		defer mute.Close()
		in.Nameserver, in.Host = mute.LocalAddr().(*net.UDPAddr).Port, "nowhere.test"
	}
	out, err := d.Run(in)
	r := JVMResult{Result: out, Version: versionOf(s.Product, d.Versions)}
	if err == nil && server != nil {
		r.Seen = server.Counts()
		r.Seen.Requests -= len(s.Before)
		if s.Before != nil && r.Seen.Connections > 0 {
			r.Seen.Connections-- // the one of the request before
		}
	}
	return r, err
}

// versionOf is the release of a product, as a row says it.
func versionOf(product string, versions map[string]string) string {
	switch product {
	case "httpclient5":
		return versions["httpclient5"]
	case "resttemplate", "restclient":
		return versions["httpclient5"] + " under Spring " + versions["spring-web"]
	case "jdkfactory", "simplefactory":
		return "Spring " + versions["spring-web"]
	case "webclient":
		return versions["reactor-netty-http"] + " under Spring " + versions["spring-webflux"]
	case "tomcat":
		return versions["tomcat-embed-core"]
	}
	return "JDK " + versions["jdk"]
}
