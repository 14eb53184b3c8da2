package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tchain": main})
}

// The scripts are the tests of the command line: one behaviour each, named
// command_topic. TCHAIN_UPDATE=1 rewrites the output that they expect.
func TestScripts(t *testing.T) {
	tools := t.TempDir()
	if !testing.Short() {
		buildCUE(t, tools)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("TCHAIN_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+tools)
			env.Setenv("NO_COLOR", "")
			examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", examples)
			// The real cue must find all it needs in the work directory.
			env.Setenv("CUE_REGISTRY", "none")
			env.Setenv("CUE_CACHE_DIR", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
	})
}

// buildCUE makes the cue command of the version that tchain reads stacks with.
// Its own module keeps the requirements of the command out of tchain's.
func buildCUE(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, "cue")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", name, "cuelang.org/go/cmd/cue")
	cmd.Dir = filepath.Join("..", "..", "internal", "tools", "cue")
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building cue: %v\n%s", err, out)
	}
}

// The cue that the scripts run must be the one that tchain is built with.
func TestTheToolsCUEIsTheLibrarys(t *testing.T) {
	pin := regexp.MustCompile(`(?m)^\s*(?:require )?cuelang\.org/go (v\S+)`)
	var got [2]string
	for i, file := range []string{"../../go.mod", "../../internal/tools/cue/go.mod"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := pin.FindSubmatch(text); m != nil {
			got[i] = string(m[1])
		}
	}
	if got[0] == "" || got[0] != got[1] {
		t.Errorf("go.mod has %q, internal/tools/cue/go.mod %q", got[0], got[1])
	}
}
