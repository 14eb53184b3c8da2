package emit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
)

// tree is every file under dir with its content, directories with "".
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			out[filepath.ToSlash(rel)+"/"] = ""
			return nil
		}
		b, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWriteDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	files := []File{{"a.conf", []byte("one\n")}, {"sub/b.go", []byte("two\n")}}
	for range 2 {
		if err := WriteDir(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"a.conf": "one\n", "sub/": "", "sub/b.go": "two\n"}
	if d := cmp.Diff(want, tree(t, dir)); d != "" {
		t.Errorf("after writing (-want +got):\n%s", d)
	}
	if diffs, err := CheckDir(dir, files); err != nil || diffs != nil {
		t.Errorf("CheckDir = %v, %v", diffs, err)
	}
}

func TestWriteDirKeepsModeAndTime(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, []File{{"a", []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	if before.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, want 0600", before.Mode())
	}
	if err := WriteDir(dir, []File{{"a", []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(path)
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("a file with the right content was replaced")
	}
}

func TestWriteDirLeavesNothingOnError(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []File
		block func(dir string) error
	}{
		{"a directory in the way", []File{{"a", []byte("new")}, {"fresh/c", []byte("c")}, {"b", []byte("new")}},
			func(dir string) error { return os.Mkdir(filepath.Join(dir, "b"), 0o777) }},
		{"a file where a directory must be", []File{{"a", []byte("new")}, {"fresh/c", []byte("c")}, {"b/x", []byte("new")}},
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o666) }},
		{"outside", []File{{"a", []byte("new")}, {"../x", nil}}, nil},
		{"absolute", []File{{"a", []byte("new")}, {"/tmp/x", nil}}, nil},
		{"twice", []File{{"a", []byte("new")}, {"a", []byte("newer")}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			if tc.block != nil {
				if err := tc.block(dir); err != nil {
					t.Fatal(err)
				}
			}
			before := tree(t, dir)
			if err := WriteDir(dir, tc.files); err == nil {
				t.Fatal("no error")
			}
			if d := cmp.Diff(before, tree(t, dir)); d != "" {
				t.Errorf("something changed (-before +after):\n%s", d)
			}
		})
	}
}

// The renames are the last thing that can fail: the files already replaced come back.
func TestAFileThatCannotBeWrittenIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "file", "a"), filepath.Join(dir, "file", "sub", "a"), filepath.Join(dir, "taken")} {
		err := WriteAll([]File{{filepath.Join(dir, "new", "first"), []byte("1")}, {name, []byte("2")}})
		if err == nil || !strings.HasPrefix(err.Error(), name+": ") || strings.Contains(err.Error(), ".tchain-") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := cmp.Diff(map[string]string{"file": "", "taken/": ""}, tree(t, dir)); d != "" {
		t.Errorf("left behind (-want +got):\n%s", d)
	}
}

func TestRollBackRestoresReplacedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("old "+n), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, dir)
	var u undo
	for _, n := range []string{"a", "new", "b"} {
		path := filepath.Join(dir, n)
		tmp, err := u.stage(path, []byte("new"), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if n == "b" {
			if err := os.Remove(tmp); err != nil {
				t.Fatal(err)
			}
		}
		if err := u.replace(tmp, path); (err != nil) != (n == "b") {
			t.Fatalf("replace %s: %v", n, err)
		}
	}
	if err := u.rollBack(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Errorf("not as before (-before +after):\n%s", d)
	}
}

func TestCheckDir(t *testing.T) {
	dir := t.TempDir()
	if err := WriteDir(dir, []File{{"same", []byte("x")}, {"other", []byte("1\n2\n3\n")}, {"short", []byte("1\n")}}); err != nil {
		t.Fatal(err)
	}
	got, err := CheckDir(dir, []File{{"same", []byte("x")}, {"other", []byte("1\ntwo\n3\n")}, {"short", []byte("1\n2\n")}, {"gone", nil}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"other", 2}, {"short", 2}, {"gone", 0}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if s := got[0].String() + "; " + got[2].String(); s != "other differs from line 2 on; gone is missing" {
		t.Error(s)
	}
}

func TestSelect(t *testing.T) {
	s := &chain.Stack{Name: "shop", Routes: []*chain.Route{{Name: "GET /b"}, {Name: "GET /a"}}}
	got, err := Options{Routes: []string{"GET /a"}}.Select(s)
	if err != nil || len(got) != 1 || got[0].Name != "GET /a" {
		t.Errorf("Select = %v, %v", got, err)
	}
	_, err = Options{Routes: []string{"GET /c"}}.Select(s)
	if !errors.Is(err, ErrNoRoute) || !strings.Contains(err.Error(), `"GET /c" is not in shop, which has "GET /a", "GET /b"`) {
		t.Errorf("error = %v", err)
	}
}

func TestRefusalNamesSettingAndTarget(t *testing.T) {
	err := Refuse("go", chain.Origin{Setting: "api.app.x", Text: "0"}, "%s never ends", "it")
	if got, want := err.Error(), "api.app.x 0: cannot be written by tchain emit go: it never ends"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
