// Package golden holds what the tests of the targets do alike.
package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Emit is what a target writes, by file name, and its warnings. An error fails the test.
func Emit(t testing.TB, target emit.Target, s *chain.Stack) (map[string]string, []string) {
	t.Helper()
	return EmitWith(t, target, s, emit.Options{})
}

// EmitWith is Emit with options.
func EmitWith(t testing.TB, target emit.Target, s *chain.Stack, o emit.Options) (map[string]string, []string) {
	t.Helper()
	files, warnings, err := target.Emit(s, o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		out[f.Name] = string(f.Content)
	}
	var said []string
	for _, w := range warnings {
		said = append(said, w.String())
	}
	return out, said
}

// Refuses demands that a target writes nothing of a stack and says why.
func Refuses(t *testing.T, target emit.Target, s *chain.Stack, why string) {
	t.Helper()
	files, _, err := target.Emit(s, emit.Options{})
	if err == nil || !strings.Contains(err.Error(), why) || files != nil {
		t.Errorf("error = %v\n  want %s; %d files", err, why, len(files))
	}
}

// Compare lays files beside those of dir, which TCHAIN_UPDATE=1 rewrites. dir has
// no other files.
func Compare(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	update := os.Getenv("TCHAIN_UPDATE") == "1"
	if update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name)+".golden")
		if update {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		want[filepath.ToSlash(rel[:len(rel)-len(".golden")])] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, files); d != "" {
		t.Errorf("not as in %s (-want +got), TCHAIN_UPDATE=1 accepts it:\n%s", dir, d)
	}
}
