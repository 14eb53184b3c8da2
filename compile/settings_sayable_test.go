package compile

import (
	"slices"
	"strings"
	"testing"
)

// Whatever a stack can say is explained: every leaf of every type, its version included,
// in words.
func TestEveryNameThatAStackCanSayIsExplained(t *testing.T) {
	said := 0
	for _, category := range append(slices.Clone(Categories), "facts") {
		for _, key := range keysOf(category) {
			typ, err := builtin().typ(category, key)
			if err != nil {
				t.Fatal(err)
			}
			docs, err := Sayable(key)
			if category == "facts" {
				docs, err = Facts(key)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range leavesOf(typ.Root) {
				i := slices.IndexFunc(docs, func(d SettingDoc) bool { return d.ID == f.ID })
				if said++; i < 0 && !aFactOfItsOwn(category, f) {
					t.Errorf("%s %s: %s is not explained", category, key, f.ID)
				} else if i >= 0 && docs[i].Doc == "" {
					t.Errorf("%s %s: %s has no words", category, key, f.ID)
				}
			}
		}
	}
	if said < 1000 {
		t.Errorf("only %d names were looked at", said)
	}
}

func keysOf(category string) []string {
	if category == "facts" {
		return FactTypes
	}
	return TypeKeys(category)
}

// aFactOfItsOwn reports whether a fact is explained with another type: what a layer runs
// on, and a layer by name.
func aFactOfItsOwn(category string, f *Field) bool {
	return category == "facts" && (builtin().has("platform", f.Block) || strings.HasPrefix(f.ID, "route.at."))
}

func leavesOf(f *Field) []*Field {
	var out []*Field
	for _, c := range f.Fields {
		if len(c.Fields) == 0 && c.Elem == nil {
			out = append(out, c)
			continue
		}
		out = append(out, leavesOf(c)...)
	}
	switch {
	case f.Elem == nil:
	case f.Elem.leaf():
		out = append(out, f.Elem)
	default:
		out = append(out, leavesOf(f.Elem)...)
	}
	return out
}
