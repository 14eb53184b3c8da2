package conformance

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/internal/retake"
)

// TestMain lets many runs go at once: they wait for timers and hardly compute.
// With TCHAIN_UPDATE=1 it writes what was proved.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		flag.Set("test.parallel", "16")
	}
	code := m.Run()
	if os.Getenv("TCHAIN_UPDATE") == "1" {
		if err := writeRows("testdata/last-run.json", Rows()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func TestNGINX(t *testing.T) {
	for _, s := range NGINXScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			retake.Test(t, func(t testing.TB) {
				r, err := Drive(s)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%v; first byte %d ms, end %d ms, %d bytes, seen %+v, %v %s", r.Prediction, r.FirstByteMS, r.ElapsedMS, r.Bytes, r.Seen, r.Native, r.Error)
				differences := compare(s.Predict, r)
				record(s, r.Version, differences)
				for _, line := range differences {
					t.Error(line)
				}
			})
		})
	}
}

func TestSnippetsAreRunAsTheyAreWritten(t *testing.T) {
	s := Scenario{
		Product: NGINX,
		Snippets: &Snippets{
			Upstream:  "upstream api {\n\tserver 10.0.1.1:80;\n\tserver 10.0.1.1:8080;\n}",
			Server:    "location /measured {\n\tproxy_pass http://api;\n}",
			Addresses: []string{"10.0.1.1:80", "10.0.1.1:8080"},
		},
		Upstreams: []fault.Config{{Mode: fault.Refuse}, works},
	}
	retake.Test(t, func(t testing.TB) {
		r, err := Drive(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range compare(Prediction{Status: 200, By: Upstream, Attempts: 2}, r) {
			t.Error(line)
		}
	})
}

func TestAMissingNGINXIsAnErrorThatSaysWhatToDo(t *testing.T) {
	defer func(path string) { nginxPath = path }(nginxPath)
	nginxPath = t.TempDir() + "/nginx"
	_, err := Drive(Scenario{Product: NGINX})
	if err == nil || err.Error() != "nginx is missing: run make test" {
		t.Errorf("the error is %v", err)
	}
	if err := CheckNGINX(NGINXConf{}); err == nil || !strings.Contains(err.Error(), "run make test") {
		t.Errorf("the error is %v", err)
	}
}
