package compile

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/inject/embed"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"tchain.dev/tchain/chain"
)

// A reader reads the stacks of one run. It may be used by several goroutines.
type reader struct {
	opt    Options
	schema fs.FS  // the package tchain.dev/schema; nil where none is to be imported
	heap   uint64 // bytes that one evaluation may add to the heap; 0 is 2 GiB

	comments bool // the comments of CUE are kept, as what they say of settings

	policies policies // read so far

	open     sync.Once
	openText []byte
	halted   atomic.Bool // an evaluation took all memory, nothing more is read
}

// A worker reads stacks one after the other in CUE contexts of its own, which
// must not be shared between goroutines.
type worker struct {
	r    *reader
	desk *desk
	uses int   // stacks that were read at the desk
	size int64 // bytes of them
}

// A desk is a CUE context with the schema that is open in it, which is parsed
// and compiled once for all the stacks that import it.
type desk struct {
	ctx    *cue.Context
	schema *build.Instance // nil until a stack imports it
}

// contextUses is after how many stacks a context is dropped: CUE keeps all that
// it has seen for as long as the context lives. One large stack counts for many.
const (
	contextUses  = 64
	contextBytes = 256 << 10
)

func (w *worker) atDesk() *desk {
	if w.desk == nil || w.uses >= contextUses {
		w.size = 0
		w.desk, w.uses = &desk{ctx: cuecontext.New(cuecontext.WithInjection(embed.New()))}, 0
	}
	w.uses++
	return w.desk
}

// read reads one target in a context of its own.
func (r *reader) read(t target) (*source, []Error) { return (&worker{r: r}).read(t) }

// read reads, evaluates and indexes one target. With errors the source is there
// as far as it goes, and nil if it cannot be used at all.
func (w *worker) read(t target) (*source, []Error) {
	var size int64
	for _, path := range t.files {
		size += w.r.files().size(path)
	}
	at := chain.Range{File: shown(t.own[0])}
	if limit := w.r.opt.maxBytes(); size > limit {
		return nil, []Error{{at, fmt.Sprintf("input is %s, over the limit of %s for one stack", bytesText(size), bytesText(limit))}}
	}
	type result struct {
		s    *source
		errs []Error
	}
	d := w.atDesk()
	got, why := guarded(w.r, func() result {
		s := newSource(w.r, t)
		errs := s.load(d)
		return result{s, errs}
	})
	if w.size += size; w.size > contextBytes {
		w.desk = nil
	}
	if why != "" {
		w.desk = nil
		return nil, []Error{{at, why}}
	}
	return got.s, got.errs
}

func (r *reader) parseOptions() []parser.Option {
	if r.comments {
		return []parser.Option{parser.ParseComments}
	}
	return nil
}

func (r *reader) files() content { return r.opt.Overlay }

func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1<<20:
		return strconv.FormatInt((n+1<<10-1)>>10, 10) + " KiB"
	}
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
}

// load fills the source; what it returns is sorted.
func (s *source) load(d *desk) []Error {
	var errs []Error
	for _, path := range s.target.files {
		f, es := s.parse(path)
		if errs = append(errs, es...); f != nil {
			s.files = append(s.files, f)
		}
	}
	if len(errs) > 0 {
		return sortErrors(errs)
	}
	inst := s.instance(d)
	s.imports = map[string]bool{}
	if inst == nil {
		inst = s.loaded()
		addImports(s.imports, inst)
	}
	s.files = inst.Files
	s.index = newIndex(s)
	if inst.Err != nil {
		return s.plain(inst.Err)
	}
	s.value = d.ctx.BuildInstance(inst)
	if err := s.value.Validate(cue.All()); err != nil {
		return s.plain(err)
	}
	return s.plain(undefined(s.value))
}

// undefined are references to fields that are nowhere. CUE takes them for a
// value that is not complete yet, as it takes `string`; only these are mistakes.
func undefined(v cue.Value) error {
	var out errors.Error
	for _, e := range errors.Errors(v.Validate(cue.Concrete(true))) {
		switch f, _ := e.Msg(); {
		case strings.HasPrefix(f, "undefined field"), strings.HasPrefix(f, "cannot reference optional"):
			out = errors.Append(out, e)
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// parse reads one file of the stack into syntax.
func (s *source) parse(path string) (*ast.File, []Error) {
	t, err := s.text(path)
	if err != nil {
		return nil, []Error{{chain.Range{File: shown(path)}, "cannot be read: " + plainOS(err)}}
	}
	switch s.target.form {
	case formYAML:
		return s.parseYAML(path, t)
	case formJSON:
		return s.parseJSON(path, t)
	}
	if off := tooDeep(t.data); off >= 0 {
		return nil, []Error{{t.rng(span{off, off}), fmt.Sprintf("expression nests or chains more than %d deep", maxDepth)}}
	}
	f, err := parser.ParseFile(path, t.data, s.r.parseOptions()...)
	if err != nil {
		return nil, []Error{s.syntax(t, err)}
	}
	return f, nil
}

// instance builds the package without cue/load; nil if it imports something
// that only cue/load can find.
func (s *source) instance(d *desk) *build.Instance {
	for _, f := range s.files {
		for spec := range f.ImportSpecs() {
			if path := importPath(spec); !isStandard(path) && !s.isSchema(path) {
				return nil
			}
		}
		for _, decl := range f.Decls {
			if a, ok := decl.(*ast.Attribute); ok && a.Name() == "extern" {
				return nil
			}
		}
	}
	bctx := build.NewContext()
	inst := bctx.NewInstance(s.target.top, func(pos token.Pos, path string) *build.Instance {
		if !s.isSchema(path) {
			return nil
		}
		return d.openSchema(s.r)
	})
	for _, f := range s.spoken() {
		_ = inst.AddSyntax(f)
	}
	_ = inst.Complete()
	return inst
}

// openSchema is the schema as stacks that import it see it.
func (d *desk) openSchema(r *reader) *build.Instance {
	if d.schema == nil {
		d.schema = build.NewContext().NewInstance("", nil)
		if f, err := parser.ParseFile(schemaFile, r.openSchema()); err == nil {
			_ = d.schema.AddSyntax(f)
		}
		_ = d.schema.Complete()
	}
	return d.schema
}

// loaded builds the package with cue/load, from the same files.
func (s *source) loaded() *build.Instance {
	over := map[string]load.Source{}
	for path, data := range s.r.files() {
		over[path] = load.FromBytes(data)
	}
	if s.r.schema != nil && s.target.root != "" {
		s.r.overlaySchema(s.target.root, over)
	}
	insts := load.Instances(s.target.files, &load.Config{Dir: s.target.dirAbs(), Overlay: over})
	return insts[0]
}

// addImports adds the directories of all packages that a package is built from.
func addImports(dirs map[string]bool, inst *build.Instance) {
	for _, i := range inst.Imports {
		if !dirs[i.Dir] {
			dirs[i.Dir] = true
			addImports(dirs, i)
		}
	}
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return path
}

// isStandard reports whether an import path is one of CUE's own packages: only
// these have no dot in their first part.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
