package compile

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestGuard(t *testing.T) {
	// Ten to the power of eight values: neither time nor memory of a test last for it.
	const explodes = "tchain: \"v1\"\n_l: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\nx: [for a in _l for b in _l for c in _l for d in _l for e in _l for f in _l for g in _l for h in _l {\"\\(a)\\(b)\"}]\nroutes: {}\n"
	read := func(t *testing.T, r *reader, files ...string) []Error {
		t.Helper()
		inDir(t, strings.Join(files, "\n"))
		targets, sum := find([]string{"./..."}, r.opt)
		if len(targets) == 0 {
			t.Fatal(sum)
		}
		var all []Error
		eachOf(r, targets, func(_ *source, errs []Error) []Error { return errs }, func(errs []Error) { all = append(all, errs...) })
		return all
	}
	want := func(t *testing.T, errs []Error, text string) {
		t.Helper()
		if len(errs) != 1 || !strings.Contains(errs[0].Message, text) || errs[0].Range.File != "a.cue" {
			t.Errorf("errors = %v, want one at a.cue that says %q", lines(errs), text)
		}
	}
	t.Run("an evaluation that takes too long is given up", func(t *testing.T) {
		start := time.Now()
		errs := read(t, &reader{opt: Options{Timeout: 200 * time.Millisecond}}, "-- a.cue --\n"+strings.Replace(explodes, " for f in _l for g in _l for h in _l", "", 1))
		want(t, errs, "evaluation did not end within 200ms")
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v to give up", took)
		}
	})
	t.Run("an evaluation that takes too much memory is given up, and the run with it", func(t *testing.T) {
		runtime.GC()
		errs := read(t, &reader{opt: Options{Workers: 1, Timeout: 5 * time.Minute}, heap: 8 << 20},
			"-- a.cue --\n"+strings.Replace(explodes, " for g in _l for h in _l", "", 1), "-- b.cue --\ntchain: \"v1\"\nroutes: 1 & 2\n")
		want(t, errs, "evaluation took more than 8.0 MiB of memory")
	})
	t.Run("input over the limit is refused", func(t *testing.T) {
		errs := read(t, &reader{opt: Options{MaxBytes: 1000}}, "-- a.cue --\ntchain: \"v1\"\n// "+strings.Repeat("x", 2000)+"\n")
		want(t, errs, "input is 2 KiB, over the limit of 1000 bytes for one stack")
	})
	t.Run("a panic is an error", func(t *testing.T) {
		_, why := guarded(&reader{}, func() int { panic("call of a nil\nvalue") })
		if why != "internal: CUE panicked: call of a nil" {
			t.Errorf("why = %q", why)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		positions, "tchain: v1\na: &b [*b]\n", `{"tchain": "v1", "a": [1, {"b": "\u00e9"}]}`, "tchain: \"v1\"\nroutes: {}\nx: 5m\n",
		"package a\ntchain: \"v1\"\na: #D & {b: 1}\n#D: {c: int}\n", "\ufefftchain: \"v1\"\r\na: {\r\n}\r\n", bomb(),
		"tchain: v1\nx: !!binary aGk=\ny: |\n  a\n  b\nz: {a: 'b'', c}\n", "a: b: c: d: e: a\ntchain: \"v1\"", "!\r",
	} {
		for form := range 3 {
			f.Add([]byte(seed), form)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		name := []string{"a.cue", "a.yaml", "a.json"}[uint(which)%3]
		t.Chdir(t.TempDir())
		opt := Options{Timeout: 5 * time.Second, Overlay: map[string][]byte{}}
		path := absolute(t, name)
		opt.Overlay[path] = data
		find([]string{name}, opt)
		form, _ := formOf(name)
		r := &reader{opt: opt, schema: readSchema}
		s, errs := r.read(target{dir: ".", form: form, files: []string{path}, own: []string{path}, top: "."})
		for _, e := range errs {
			if strings.Contains(e.Message, "internal:") || strings.Contains(e.Message, "did not end") {
				t.Fatal(e.Message)
			}
			if strings.Contains(e.Message, "\n") || e.Range.File != name {
				t.Fatalf("not one line at the file: %+v", e)
			}
		}
		if s == nil || s.index == nil {
			return
		}
		for _, d := range s.index.order {
			s.at(d.path...)
			s.label(d.path...)
			if s.value.Exists() {
				s.shared(d.path...)
				s.attrs(d.path...)
				s.place(append(d.path[:len(d.path):len(d.path)], "x-y", "z"))
			}
		}
		s.allAttrs("")
	})
}
