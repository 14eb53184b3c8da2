package compile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tchain.dev/tchain/chain"
)

// TeamTypes are the types that a team declares under `types`, in a stack or in a
// package that stacks import.
type TeamTypes struct{ view *catalogue }

// ReadTypes reads the types that path declares: a CUE, YAML or JSON file, or a
// directory with one package of them. It need not be a stack. The unit holds the
// mistakes with the files that they are in; with any the types are nil.
func ReadTypes(path string, opt Options) (*TeamTypes, *Unit) {
	u := &Unit{Dir: filepath.ToSlash(path)}
	fail := func(text string) (*TeamTypes, *Unit) {
		u.Errors = append(u.Errors, Error{chain.Range{File: u.Dir}, text})
		return nil, u
	}
	t, why := typesTarget(path, opt)
	if why != "" {
		return fail(why)
	}
	cat, fsys := builtinFor(opt)
	src, errs := (&reader{opt: opt, schema: fsys, comments: true}).read(t)
	u.Errors = errs
	if src == nil {
		return nil, u
	}
	defer src.fill(u)
	types, ok := src.lookup([]string{"types"})
	switch {
	case len(errs) > 0:
		return nil, u
	case !ok:
		return fail("declares no types; a type of a team's own stands under types: layers, servers or clients")
	}
	view, wrong := cat.add(types)
	for _, w := range wrong {
		at, ok := w.in(src)
		if !ok {
			at = src.label(w.path...)
		}
		u.Errors = append(u.Errors, Error{at, w.err.Error()})
	}
	if len(wrong) > 0 {
		u.Errors = sortErrors(u.Errors)
		return nil, u
	}
	return &TeamTypes{view}, u
}

// typesTarget is what path holds; why says what is wrong with it.
func typesTarget(path string, opt Options) (t target, why string) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return t, plainOS(err)
	}
	fi, err := os.Stat(abs)
	if err != nil {
		return t, plainOS(err)
	}
	f := &finder{dirs: dirs{files: opt.Overlay, limit: opt.maxBytes(), known: map[string]*listing{}, roots: map[string]string{}}}
	if !fi.IsDir() {
		if _, ok := formOf(abs); !ok {
			return t, "is no CUE, YAML or JSON file"
		}
		return f.file(abs, filepath.Dir(path)), ""
	}
	l := f.list(abs)
	names := slices.Sorted(maps.Keys(l.pkgs))
	switch {
	case len(names) == 1:
		t, _ = f.pack(abs, names[0], abs)
		t.dir = filepath.ToSlash(path)
		return t, ""
	case len(names) > 1:
		return t, fmt.Sprintf("directory holds two packages, %s and %s; name a file", names[0], names[1])
	case len(l.loose) == 1:
		return f.file(l.loose[0], path), ""
	}
	return t, "directory holds no CUE package; name a file"
}

// Keys are the keys of the team's types of a category, sorted.
func (t *TeamTypes) Keys(category string) []string {
	var out []string
	for _, own := range t.view.own {
		if own.typ.Category == category {
			out = append(out, own.typ.Key)
		}
	}
	slices.Sort(out)
	return out
}

// Settings are the settings of the team's types with a key, in the order in
// which they are declared.
func (t *TeamTypes) Settings(key string) []SettingDoc { return t.documented(key, false) }

// Sayable is Settings with all else that a stack can say of the types, as their version.
func (t *TeamTypes) Sayable(key string) []SettingDoc { return t.documented(key, true) }

func (t *TeamTypes) documented(key string, every bool) []SettingDoc {
	var out []SettingDoc
	for _, category := range Categories {
		if own, ok := t.view.own[category+" "+key]; ok {
			out = append(out, settingsOf(own.typ, every)...)
		}
	}
	return out
}

// DefaultsTables are the defaults of the team's types.
func (t *TeamTypes) DefaultsTables() ([]DefaultsTable, error) {
	return defaultsOfAll(t.view, func(category string) ([]*Type, error) {
		var out []*Type
		for _, key := range t.Keys(category) {
			out = append(out, t.view.own[category+" "+key].typ)
		}
		return out, nil
	})
}
