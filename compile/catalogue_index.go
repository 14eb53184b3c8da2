package compile

import (
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// A schemaIndex says which file of the schema registers which types and needs
// which other files. It is read from the text alone, so that a run compiles
// only the files of the types it meets.
type schemaIndex struct {
	files map[string]string   // name to text
	types map[string][]string // category to registered keys, sorted
	home  map[string]string   // "layer nginx" to the file that registers it
	needs map[string][]string // file to the files whose definitions it names
	defs  map[string]string   // definition to the file that it is in
}

// registers are the definitions in which types of each category are registered.
var registers = map[string]string{
	"layer": "#LayerTypes", "server": "#ServerTypes", "client": "#ClientTypes", "wrap": "#WrapTypes", "platform": "#PlatformTypes", "kernel": "#KernelTypes",
}

var (
	registerLine  = regexp.MustCompile(`^#(Layer|Server|Client|Wrap|Platform|Kernel)Types: +"?([A-Za-z_][\w-]*)"?\?:`)
	registerBlock = regexp.MustCompile(`^#(Layer|Server|Client|Wrap|Platform|Kernel)Types: +\{$`)
	registerInner = regexp.MustCompile(`^\t"?([A-Za-z_][\w-]*)"?\?:`)
	definedLine   = regexp.MustCompile(`^(#[A-Za-z_]\w*):`)
)

func newSchemaIndex(fsys fs.FS) (*schemaIndex, error) {
	names, err := fs.Glob(fsys, "*.cue")
	if err != nil {
		return nil, err
	}
	x := &schemaIndex{files: map[string]string{}, types: map[string][]string{}, home: map[string]string{}, needs: map[string][]string{}, defs: map[string]string{}}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		x.files[name] = string(text)
		x.scan(name)
	}
	for _, name := range names {
		for def := range namedIn(x.files[name]) {
			if file, ok := x.defs[def]; ok && file != name && !slices.Contains(x.needs[name], file) {
				x.needs[name] = append(x.needs[name], file)
			}
		}
	}
	for _, keys := range x.types {
		slices.Sort(keys)
	}
	return x, nil
}

func (x *schemaIndex) scan(name string) {
	open := ""
	for line := range strings.Lines(x.files[name]) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "}":
			open = ""
		case strings.HasPrefix(line, "#"):
			if m := registerLine.FindStringSubmatch(line); m != nil {
				x.register(m[1], m[2], name)
			} else if m := registerBlock.FindStringSubmatch(line); m != nil {
				open = m[1]
			} else if m := definedLine.FindStringSubmatch(line); m != nil {
				x.defs[m[1]] = name
			}
		case open != "":
			if m := registerInner.FindStringSubmatch(line); m != nil {
				x.register(open, m[1], name)
			}
		}
	}
}

// namedIn are the definitions that a text names, as #Duration, wherever they stand. It
// goes over all of the schema at every start, where a regular expression takes long.
func namedIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			at := strings.IndexByte(text, '#')
			if at < 0 {
				return
			}
			text = text[at:]
			end := 1
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if end > 1 && (text[1] < '0' || text[1] > '9') && !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

func (x *schemaIndex) register(word, key, file string) {
	category := strings.ToLower(word)
	x.types[category] = append(x.types[category], key)
	x.home[category+" "+key] = file
}

// closure is file with every file that it needs, and theirs, in a fixed order.
func (x *schemaIndex) closure(file string) []string {
	out := []string{file}
	for i := 0; i < len(out); i++ {
		for _, f := range x.needs[out[i]] {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return out
}
