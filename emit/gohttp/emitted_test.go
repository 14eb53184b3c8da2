package gohttp

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// The emitted package stands in a module of its own, as in somebody's repository:
// it vets, builds, and keeps its limits against servers that do not.
func TestEmittedPackage(t *testing.T) {
	t.Parallel()
	files, _, err := Target.Emit(sample.Insurance(), emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files = append(files,
		emit.File{Name: "go.mod", Content: []byte("module example.com/upstream\n\ngo 1.26\n")},
		emit.File{Name: "values_test.go", Content: []byte(values)})
	tests, err := filepath.Glob("testdata/*_test.go")
	if err != nil || len(tests) != 4 {
		t.Fatalf("runtime tests: %v, %v", tests, err)
	}
	for _, path := range tests {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, emit.File{Name: filepath.Base(path), Content: text})
	}
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	gocommand(t, dir, "build", ".")
	gocommand(t, dir, "vet", ".")
	retake.Test(t, func(t testing.TB) { gocommand(t, dir, "test", "-race", "-count=1", ".") })
}

func gocommand(t testing.TB, dir string, args ...string) {
	t.Helper()
	retake.Real(t)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

// values checks that the emitted numbers are those of the stack.
const values = `package upstream

import (
	"reflect"
	"testing"
	"time"
)

func TestValues(t *testing.T) {
	want := Limits{PoolSize: 50, PoolWait: time.Second, Connect: 3 * time.Second, TLS: 3 * time.Second, Header: 90 * time.Second, Gap: 90 * time.Second,
		PerCall: 90 * time.Second, Reserve: 5 * time.Second, Idle: 30 * time.Second, Attempts: 1}
	if !reflect.DeepEqual(AuthLimits, want) {
		t.Errorf("got %+v, want %+v", AuthLimits, want)
	}
	Client(AuthLimits)
}
`
