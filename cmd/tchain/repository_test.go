package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const platformFile = `package platform

web: {owner: "web team", browser: fetch: signal: timeout: 60_000}
proxy: {
	owner: "edge team"
	nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "11s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
}
`

const serviceFile = `package svc

import "example.com/stacks/platform"

tchain: "v1"
name:   "svc%03d"
layers: {
	web:   platform.web
	proxy: platform.proxy
	api: app: {
		server: gohttp: {}
		clients: price: gohttp: Timeout: string
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "proxy", "api", "price"]
`

// monorepo is a platform package, a hundred services with dev, stage and prod
// below each, and other files beside them. Stage and prod of every fifth service
// are too slow for the platform's proxy: 300 stacks, of which 40 are bad.
func monorepo(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	files := map[string]string{
		"cue.mod/module.cue":    "module: \"example.com/stacks\"\nlanguage: version: \"v0.15.0\"\n",
		"platform/platform.cue": platformFile,
		"tools/gen.cue":         "package tools\n\n#X: 1\n",
		"deploy/values.yaml":    "kind: Deployment\n",
	}
	for i := range 100 {
		dir := fmt.Sprintf("team%02d/svc%03d/", i/10, i)
		files[dir+"base.cue"] = fmt.Sprintf(serviceFile, i)
		for n, env := range []string{"dev", "stage", "prod"} {
			timeout := "10s"
			if i%5 == 0 && n > 0 {
				timeout = "12s"
			}
			files[dir+env+"/env.cue"] = fmt.Sprintf("package svc\n\nlayers: api: app: clients: price: gohttp: Timeout: %q\n", timeout)
		}
	}
	for name, text := range files {
		replace(t, name, text)
	}
}

func replace(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func runs(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Command{strings.NewReader(""), &stdout, &stderr}.Main(args)
	if stderr.Len() > 0 {
		t.Errorf("%v: %s", args, stderr.String())
	}
	return stdout.String(), code
}

func TestAWholeRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("checks 300 stacks several times")
	}
	monorepo(t)
	headers := regexp.MustCompile(`(?m)^\S+: error.*$`)

	out, code := runs(t, "check", "./...")
	if found := headers.FindAllString(out, -1); code != ExitFindings || len(found) != 40 {
		t.Errorf("exit %d, %d findings", code, len(found))
	}
	if want := "\n40 errors in 40 of 300 stacks (2 CUE files skipped, --not-checked lists them; 100 directories are only bases)\n"; !strings.HasSuffix(out, want) {
		t.Errorf("the last lines are %q", out[max(0, len(out)-200):])
	}

	// At the team's own line, with the owner of the layer and the shared file.
	one, _ := runs(t, "check", "team00/svc000/prod")
	for _, want := range []string{
		"team00/svc000/base.cue:9:9: error[error-room]: ",
		"      = proxy belongs to edge team\n",
		"   platform/platform.cue:8:61\n",
	} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in\n%s", want, one)
		}
	}
	if strings.Contains(one, "line 8 ") {
		t.Errorf("a fix changes what others share:\n%s", one)
	}

	// One broken directory hides no other.
	replace(t, "team03/svc031/base.cue", "package svc\n\ntchain: \"v1\"\nname: 5m\n")
	replace(t, "team04/notes.cue", "package notes\n\ntchain: \"v1\"\nroutes: {\n")
	out, code = runs(t, "check", "team03/...", "team04/...")
	if n := strings.Count(out, "error[error-room]"); code != ExitUsage || n != 8 {
		t.Errorf("exit %d, %d findings beside what cannot be read", code, n)
	}
	if n := strings.Count(out, "team03/svc031/base.cue:4:7: error: "); n != 1 {
		t.Errorf("one mistake is told %d times", n)
	}
	if !strings.Contains(out, "team03/svc031/stage: error: cannot be read, by team03/svc031/base.cue:4:7 as team03/svc031/dev\n") {
		t.Error("it is not said which other stacks it breaks")
	}
	os.Remove("team04/notes.cue")
	replace(t, "team03/svc031/base.cue", fmt.Sprintf(serviceFile, 31))

	// A baseline of the forty, then one more.
	if out, code := runs(t, "baseline", "write", "./..."); code != ExitClean || out != "tchain-baseline.json: 40 findings, 40 added, 0 taken out\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	replace(t, "team00/svc001/dev/env.cue", "package svc\n\nlayers: api: app: clients: price: gohttp: Timeout: \"12s\"\n")
	replace(t, "team00/svc000/prod/env.cue", "package svc\n\nlayers: api: app: clients: price: gohttp: Timeout: \"10s\"\n")
	out, code = runs(t, "check", "./...", "--baseline", "tchain-baseline.json", "--format", "json")
	var got struct {
		Findings []struct{ Rule, Stack, File string }
		Skipped  []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if code != ExitFindings || len(got.Findings) != 2 || got.Findings[1].Stack != "svc001" || got.Findings[0].Rule != "suppression" || len(got.Skipped) != 4 {
		t.Errorf("exit %d: %+v", code, got)
	}

	// The platform's own mistake is told once for all.
	replace(t, "platform/platform.cue", strings.Replace(platformFile, `"11s"`, "11s", 1))
	out, code = runs(t, "check", "./...")
	if n := strings.Count(out, "platform/platform.cue:8:61: error: "); code != ExitUsage || n != 1 {
		t.Errorf("exit %d, told %d times", code, n)
	}
	if !strings.Contains(out, "300 stacks could not be read") {
		t.Error("it is not said how many it breaks")
	}
}
