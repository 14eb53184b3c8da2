package compile

import (
	"path/filepath"
	"slices"
	"time"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
	"go.yaml.in/yaml/v3"
)

// A source is one stack as it was read: its value, its syntax and where
// everything in it stands. It belongs to the goroutine that it was handed to and
// must not be used after that function has returned.
type source struct {
	target target
	// value is the whole package. With errors anywhere it is an error itself,
	// though parts of it may still be looked up.
	value cue.Value
	files []*ast.File

	r     *reader
	index *index
	texts map[string]*text     // by the name in the syntax, which is absolute
	known map[string]cue.Value // by path
	// listed are structs with the names of all their regular fields, by path.
	listed   map[string][]string
	openings map[string]*opening // where what is not written could be, by path
	began    time.Time           // when it began to be read
	yaml     *yaml.Node          // the document, where the stack is YAML
	env      []string            // the names in @env and @from that were met
	left     *leftover           // not nil when the rest was let go
	// imports are the directories of packages that it imports, nil where they are
	// not known.
	imports map[string]bool
}

func newSource(r *reader, t target) *source {
	return &source{r: r, target: t, began: time.Now(), texts: map[string]*text{}, known: map[string]cue.Value{}, listed: map[string][]string{}, openings: map[string]*opening{}}
}

// A leftover is what is asked of a source when its unit has been made.
type leftover struct{ value, stack bool }

// letGo drops what the unit was made of, which takes more memory than the unit
// and would be held while it is judged.
func (s *source) letGo() {
	s.left = &leftover{value: s.value.Exists(), stack: s.isStack()}
	s.value, s.files, s.index, s.texts, s.known, s.listed, s.openings, s.yaml = cue.Value{}, nil, nil, nil, nil, nil, nil, nil
}

// read reports whether there is a value, with or without errors.
func (s *source) read() bool {
	if s.left != nil {
		return s.left.value
	}
	return s.value.Exists()
}

func (t target) dirAbs() string { return filepath.Dir(t.own[0]) }

// text is the content of a file that a position names.
func (s *source) text(path string) (*text, error) {
	if t, ok := s.texts[path]; ok {
		return t, nil
	}
	data, err := s.r.files().read(path)
	if err != nil {
		return nil, err
	}
	t := newText(shown(path), data)
	s.texts[path] = t
	return t, nil
}

// owns reports whether a file, as ranges name it, is the stack's alone: not one of
// a directory above and not one of another package.
func (s *source) owns(file string) bool {
	return slices.ContainsFunc(s.target.own, func(path string) bool { return shown(path) == file })
}

// has reports whether the stack has a field at its top. With an error somewhere
// its value may be lost, its text is not.
func (s *source) has(name string) bool {
	_, ok := s.lookup([]string{name})
	return ok || s.index != nil && len(s.index.decls[name]) > 0
}

// offset is the byte offset of a position in t. CUE takes the columns of YAML,
// which are in runes, for bytes.
func (s *source) offset(t *text, p token.Pos) int {
	if s.target.form == formYAML && p.Filename() == s.target.own[0] {
		return t.offset(p.Line(), p.Column())
	}
	return p.Offset()
}

// fill sets what a unit says about its input.
func (s *source) fill(u *Unit) {
	u.Dir, u.target = s.target.dir, s.target
	u.Source = map[string][]byte{}
	for _, path := range s.target.files {
		u.Files = append(u.Files, shown(path))
	}
	for _, t := range s.texts {
		u.Source[t.name] = t.data
	}
}
