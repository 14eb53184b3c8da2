package compile

import (
	"fmt"
	"path/filepath"
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
)

// aside says why a CUE file beside the stack is no part of it that has a field
// which the stack lacks; "" if none has.
func (s *source) aside(field string) string {
	if s.target.form != formCUE {
		return ""
	}
	beside, _ := filepath.Glob(filepath.Join(s.target.dirAbs(), "*.cue"))
	for _, path := range beside {
		data, err := s.r.files().read(path)
		if err != nil || slices.Contains(s.target.files, path) || int64(len(data)) > s.r.opt.maxBytes() {
			continue
		}
		f, err := parser.ParseFile(path, data)
		if err != nil || !hasField(f, field) {
			continue
		}
		why := fmt.Sprintf(`but is of package %s; begin it with "package %s"`, f.PackageName(), s.target.pkg)
		switch {
		case s.target.pkg == "":
			why = `but a file without a package line stands alone; begin both with the same, as "package stack"`
		case f.PackageName() == "":
			why = fmt.Sprintf(`but no package line; begin it with "package %s"`, s.target.pkg)
		case f.PackageName() == s.target.pkg:
			why = "but was not named with it; name both, or the directory"
		}
		return fmt.Sprintf("%s has %s, %s", filepath.Base(path), field, why)
	}
	return ""
}

func hasField(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		field, ok := d.(*ast.Field)
		if !ok {
			return false
		}
		label, _, err := ast.LabelName(field.Label)
		return err == nil && label == name
	})
}
