package compile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// writeFiles writes files below a fresh directory and makes it the working one.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEachHandsOutAResolvedStackWithItsSource(t *testing.T) {
	writeFiles(t, map[string]string{"a/stack.cue": insuranceToResolve, "b/base.cue": "package b\ntchain: \"v1\"\nname: \"b\"\n"})
	var units []*Unit
	sum := Each([]string{"./..."}, Options{}, func(u *Unit) { units = append(units, u) })
	if len(units) != 1 || sum.Units != 1 || len(sum.Skipped) != 1 || len(sum.Errors) != 0 {
		t.Fatalf("units %v, summary %+v", units, sum)
	}
	u := units[0]
	if u.Stack == nil || u.Stack.Name != "insurance" || u.Stack.Dir != "a" || u.Dir != "a" || len(u.Errors) > 0 || string(u.Source["a/stack.cue"]) != insuranceToResolve {
		t.Errorf("unit is %+v", u)
	}
}

func TestEachHandsOutTheErrorsOfAStackThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"syntax":   {"package a\ntchain: \"v1\"\nlayers: {", "stack.cue:3:"},
		"conflict": {strings.Replace(insuranceToResolve, `name:   "insurance"`, "name: \"x\"\nname: \"y\"", 1), "stack.cue:5:"},
		"unknown":  {strings.Replace(insuranceToResolve, "idle_timeout", "idle_timeuot", 1), "stack.cue:8:"},
		"path":     {strings.Replace(insuranceToResolve, `"proxy", "api", "auth"`, `"proxy", "api", "edge"`, 1), "stack.cue:"},
	} {
		writeFiles(t, map[string]string{"stack.cue": c.text})
		n := 0
		sum := Each(nil, Options{}, func(u *Unit) {
			n++
			if u.Stack != nil || len(u.Errors) == 0 {
				t.Fatalf("%s: %+v", name, u)
			}
			at := u.Errors[0].Range
			if got := fmt.Sprintf("%s:%d:", at.File, at.Line); !strings.HasPrefix(got, c.want) || u.Source["stack.cue"] == nil {
				t.Errorf("%s: %s %s, want %s; source of %d files", name, got, u.Errors[0].Message, c.want, len(u.Source))
			}
		})
		if n != 1 || sum.Units != 1 {
			t.Errorf("%s: %d units, summary %+v", name, n, sum)
		}
	}
}

func TestAgainReadsTheFilesOfAUnitAndNoOthers(t *testing.T) {
	t.Chdir(t.TempDir())
	writeStack(t, "s0", 1)
	var u *Unit
	Each([]string{"./..."}, Options{}, func(found *Unit) { u = found })
	if err := os.WriteFile("s0/late.cue", []byte("package s0\nname: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("s0/stack.cue")
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.Replace(u.Source["s0/stack.cue"], []byte(`"90s"`), []byte(`"80s"`), 1)
	again := Again(u, Options{Overlay: map[string][]byte{file: edited}})
	if len(again.Errors) > 0 {
		t.Fatal(again.Errors)
	}
	for what, c := range map[string]struct {
		u    *Unit
		want time.Duration
	}{"at first": {u, 90 * time.Second}, "with the edit": {again, 80 * time.Second}, "without it": {Again(u, Options{}), 90 * time.Second}} {
		l, _ := c.u.Stack.Routes[0].Root.Calls()[0].Limit(chain.ResponseReadGap)
		if l.Bound != c.want {
			t.Errorf("%s: %v, want %v", what, l.Bound, c.want)
		}
	}
}

func TestTheSameInputResolvesToTheSameOutput(t *testing.T) {
	writeFiles(t, map[string]string{"stack.cue": insuranceToResolve})
	dump := func() string {
		var b strings.Builder
		Each(nil, Options{}, func(u *Unit) {
			for _, r := range u.Stack.Routes {
				for _, n := range r.Nodes() {
					fmt.Fprintf(&b, "%s %v\n%s", n.Layer, n.Answers, brief(n.Serve))
					for _, s := range n.Settings {
						fmt.Fprintf(&b, "%s %s %s\n", s.Block, s.Value, s.Origin.Setting)
					}
					for _, c := range n.Calls() {
						fmt.Fprintf(&b, "%s%s%s", brief(c.Limits()), brief(c.Idle), brief(c.Upkeep))
					}
				}
			}
			fmt.Fprintf(&b, "%v %v", u.Stack.Notices, u.Stack.Routes[0].NotChecked)
		})
		return b.String()
	}
	first := dump()
	if !strings.Contains(first, "server 125s proxy.nginx.server.proxy_read_timeout") || !strings.Contains(first, "clients.auth.manager 50 api.app.clients.auth.httpclient5.manager.maxConnTotal") {
		t.Errorf("settings in native form are missing:\n%s", first)
	}
	for range 5 {
		if dump() != first {
			t.Fatal("two runs differ")
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	src, errs := sourceOf(b, "stack.cue", insuranceToResolve, nil)
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	d, errs := decode(src, testCatalogue())
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	var s *chain.Stack
	for b.Loop() {
		s, _ = resolve(d, src.place)
	}
	_ = s
}
