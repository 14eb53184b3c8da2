package compile

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/schema"
)

var categories = Categories

// everyType reads the whole catalogue, each type by itself.
func everyType(t testing.TB) []*Type {
	t.Helper()
	cat := builtin()
	var out []*Type
	for _, category := range categories {
		for _, key := range cat.keys(category) {
			typ, err := cat.typ(category, key)
			if err != nil {
				t.Errorf("%s %s: %v", category, key, err)
				continue
			}
			out = append(out, typ)
		}
	}
	for _, key := range []string{"layer", "route"} {
		typ, err := cat.typ("facts", key)
		if err != nil {
			t.Errorf("facts %s: %v", key, err)
			continue
		}
		out = append(out, typ)
	}
	return out
}

// everyField calls f for each field of the type and below.
func everyField(typ *Type, f func(*Field)) {
	var walk func(*Field)
	walk = func(x *Field) {
		f(x)
		for _, c := range x.Fields {
			walk(c)
		}
		if x.Elem != nil {
			walk(x.Elem)
		}
	}
	walk(typ.Root)
}

func TestCatalogueHasNoMalformedAttribute(t *testing.T) {
	cat := newCatalogue(schema.FS)
	for _, category := range categories {
		for _, key := range cat.keys(category) {
			v := cat.definition(newContextForTest(cat), category, key)
			if !v.Exists() {
				t.Errorf("%s %s does not compile", category, key)
				continue
			}
			_, errs := readType(category, key, v, map[string]valueForm{})
			for _, err := range errs {
				t.Errorf("%s %s: %v", category, key, err)
			}
		}
	}
}

func TestCatalogueHasNoUnknownAttribute(t *testing.T) {
	for _, typ := range everyType(t) {
		everyField(typ, func(f *Field) {
			for _, flag := range f.Flags {
				if name, _, _ := strings.Cut(flag, "="); !slices.Contains(flagAttributes, name) {
					t.Errorf("%s has @%s, which nothing reads", f.ID, name)
				}
			}
		})
	}
}

func newContextForTest(c *catalogue) *cue.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx = newContext()
	}
	return c.ctx
}

func TestCatalogueTypesSayWhatTheyAre(t *testing.T) {
	for _, typ := range everyType(t) {
		if typ.Category == "facts" {
			continue
		}
		if typ.Title == typ.Key && typ.Key != "app" && typ.Key != "browser" {
			t.Errorf("%s %s has no @title", typ.Category, typ.Key)
		}
		if typ.Category == "layer" && typ.Role == "" {
			t.Errorf("layer %s has no @role", typ.Key)
		}
	}
}

func TestCatalogueSettingsWithADefaultSayWhereItIsFrom(t *testing.T) {
	for _, typ := range everyType(t) {
		everyField(typ, func(f *Field) {
			if (len(f.Defaults) > 0 || f.Fixed != "") && f.DocURL == "" {
				t.Errorf("%s has a default and no @doc", f.ID)
			}
		})
	}
}

func TestCatalogueStatusesSayWhereTheyAreFrom(t *testing.T) {
	for _, typ := range everyType(t) {
		for i, a := range typ.Answers {
			from := typ.AnswersFrom[i]
			if !strings.HasPrefix(from, "conformance") && !strings.HasPrefix(from, "https://") {
				t.Errorf("%s %s has @answers(%s) from %q, which is no source: doc=\"https://…\" or proof=conformance", typ.Category, typ.Key, a.Cond, from)
			}
			if slices.ContainsFunc(typ.Answers[:i], func(b chain.Answer) bool { return b.Cond == a.Cond }) {
				t.Errorf("%s %s answers %s twice", typ.Category, typ.Key, a.Cond)
			}
		}
		everyField(typ, func(f *Field) {
			for _, l := range f.Limits {
				if _, err := strconv.Atoi(string(l.Fires)); err == nil && f.DocURL == "" && !slices.Contains(teamsOwn, typ.Key) {
					t.Errorf("%s answers %s and has no @doc", f.ID, l.Fires)
				}
			}
		})
	}
}

// Two files that register one name, or define one, would have their fields
// unified by CUE, and the index would know the last of them.
func TestCatalogueNamesStandForOneThing(t *testing.T) {
	cat := newCatalogue(schema.FS)
	for category, keys := range cat.index.types {
		for i, key := range keys {
			if i > 0 && keys[i-1] == key {
				t.Errorf("%s %s is registered twice", category, key)
			}
		}
	}
	at := map[string]string{}
	for name, text := range cat.index.files {
		for line := range strings.Lines(text) {
			m := definedLine.FindStringSubmatch(line)
			if m == nil || strings.HasSuffix(m[1], "Types") {
				continue
			}
			if was, ok := at[m[1]]; ok && was != name {
				t.Errorf("%s is defined in %s and %s", m[1], was, name)
			}
			at[m[1]] = name
		}
	}
}

// The text scan that finds a type's file must see what CUE sees.
func TestCatalogueIndexAgreesWithTheCompiledSchema(t *testing.T) {
	cat := newCatalogue(schema.FS)
	for _, category := range categories {
		seen := map[string]bool{}
		for _, key := range cat.keys(category) {
			file := cat.index.home[category+" "+key]
			inst, err := cat.instance(newContextForTest(cat), file)
			if err != nil {
				t.Fatal(err)
			}
			it, err := inst.LookupPath(cue.ParsePath(registers[category])).Fields(cue.Optional(true))
			if err != nil {
				t.Fatal(err)
			}
			for it.Next() {
				seen[it.Selector().Unquoted()] = true
			}
		}
		for key := range seen {
			if !cat.has(category, key) {
				t.Errorf("%s %s is registered in a form that the index does not see", category, key)
			}
		}
		if len(seen) != len(cat.keys(category)) {
			t.Errorf("%s: the index has %v, the schema %v", category, cat.keys(category), seen)
		}
	}
}

// An attribute on a line of its own belongs to the struct around it, or to
// nothing: it must never happen by a stray line break.
func TestCatalogueHasNoStrayDeclarationAttribute(t *testing.T) {
	names, _ := fs.Glob(schema.FS, "*.cue")
	for _, name := range names {
		text, _ := fs.ReadFile(schema.FS, name)
		f, err := parser.ParseFile(name, text, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ast.Walk(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.File:
				for _, d := range n.Decls {
					strayAttribute(t, d)
				}
			case *ast.StructLit:
				for _, d := range n.Elts {
					strayAttribute(t, d)
				}
			case *ast.Field:
				for _, g := range ast.Comments(n) {
					if g.Doc && strings.TrimSpace(g.Text()) == "" {
						t.Errorf("%s: the comment is empty", g.Pos())
					}
				}
			}
			return true
		}, nil)
	}
}

func strayAttribute(t *testing.T, d ast.Decl) {
	t.Helper()
	if a, ok := d.(*ast.Attribute); ok {
		t.Errorf("%s: %s stands alone", a.Pos(), a.Text)
	}
}
