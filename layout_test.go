package tchain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "tchain.dev/tchain/"

// mayImport is the direction of imports: a folder may import the folders
// listed, and nothing else of the project.
var mayImport = map[string][]string{
	"chain":  {},
	"check":  {"chain"},
	"draft":  {"chain", "check"},
	"emit":   {"chain", "emit", "internal/regular", "internal/safetext"},
	"schema": {},
	"format": {"chain", "check", "compile", "diff", "emit/report", "internal/safetext"},
	"diff":   {"chain", "check", "emit"},

	"baseline": {"chain", "check", "diff", "format"},
}

func TestImportsRunOneWay(t *testing.T) {
	for folder, allowed := range mayImport {
		eachFile(t, folder, func(path string, f *ast.File) {
			for _, imp := range f.Imports {
				name := strings.Trim(imp.Path.Value, `"`)
				if strings.HasPrefix(name, "cuelang.org/") && folder != "schema" {
					t.Errorf("%s imports %s: %s knows no CUE", path, name, folder)
				}
				rest, own := strings.CutPrefix(name, module)
				if !own {
					continue
				}
				ok := false
				for _, a := range allowed {
					ok = ok || rest == a || strings.HasPrefix(rest, a+"/")
				}
				if !ok {
					t.Errorf("%s imports %s, which %s must not know", path, name, folder)
				}
			}
		})
	}
}

// TestTheModelAndTheRulesNameNoProduct reads the products' keys from the
// catalogue, so that a new product is looked for as well.
func TestTheModelAndTheRulesNameNoProduct(t *testing.T) {
	products := productKeys(t)
	for _, folder := range []string{"chain", "check", "draft"} {
		eachFile(t, folder, func(path string, f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				var text string
				switch n := n.(type) {
				case *ast.Ident:
					text = n.Name
				case *ast.BasicLit:
					text = n.Value
				default:
					return true
				}
				for _, p := range products {
					if strings.Contains(strings.ToLower(text), p) {
						t.Errorf("%s names the product %s: %s", path, p, text)
					}
				}
				return true
			})
		})
	}
}

func productKeys(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("schema/*.cue")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogue", err)
	}
	// Types that are no product, and products whose name is a word of the model or of English.
	general := map[string]bool{
		"app": true, "browser": true, "external": true, "unknown": true, "custom": true, "loop": true,
		"node": true, "requests": true, "got": true, "socket": true,
	}
	key := regexp.MustCompile(`(?m)^#(?:Layer|Server|Client|Wrap)Types: (\w+)\?:`)
	var out []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range key.FindAllStringSubmatch(string(b), -1) {
			if !general[m[1]] {
				out = append(out, strings.ToLower(m[1]))
			}
		}
	}
	if len(out) < 5 {
		t.Fatalf("only %v are registered", out)
	}
	return out
}

func eachFile(t *testing.T, folder string, f func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f(path, file)
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
