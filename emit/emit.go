package emit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A File is one emitted file.
type File struct {
	Name    string // relative to the output directory, with forward slashes
	Content []byte
}

// A Target is one form in which a stack can be written.
type Target struct {
	Name     string // the word after `tchain emit`: "nginx"
	Title    string // one line for help texts, lower case, no final stop
	Packages bool   // it writes code of a package, so that Options.Package counts
	// Emit writes nothing to disk. It returns no files with an error.
	Emit func(*chain.Stack, Options) ([]File, []Warning, error)
	// Names are what the files define by a name that the product takes once in all of
	// its files: "upstream shop". nil is nothing.
	Names func(*chain.Stack, Options) []string
}

// Options narrow and shape what a target writes. The zero value is everything
// in the target's usual form.
type Options struct {
	Routes  []string // route patterns as written in the stack; nil is all
	Package string   // the package of emitted Go or Java code; "" is the target's own
}

// A Warning is something that a person has to know about an emitted file and
// that does not make it wrong.
type Warning struct {
	Setting string // the setting path it is about, "" if none
	Message string // subject first, no final stop
}

// String is the warning in one line.
func (w Warning) String() string {
	if w.Setting == "" {
		return w.Message
	}
	return w.Setting + ": " + w.Message
}

// A Refusal says why a stack cannot be written for a target.
type Refusal struct {
	Target  string
	Setting string // the setting path it is about, "" if it is no single one
	Value   string // the value that cannot be written, "" if it is no single one
	Why     string // subject first, no final stop
	Nothing bool   // the stack has nothing for the target, and it is no mistake of one
}

// Error names the setting and the target.
func (r *Refusal) Error() string {
	where := r.Setting
	if r.Value != "" {
		where = strings.TrimSpace(where + " " + r.Value)
	}
	if where != "" {
		where += ": "
	}
	return where + "cannot be written by tchain emit " + r.Target + ": " + r.Why
}

// Refuse is the refusal of the value that o stands for.
func Refuse(target string, o chain.Origin, format string, args ...any) *Refusal {
	return &Refusal{Target: target, Setting: o.Setting, Value: o.Text, Why: fmt.Sprintf(format, args...)}
}

// ErrNoRoute is wrapped by the error for a route that the stack does not have.
var ErrNoRoute = errors.New("no such route")

// Select are the routes of s that o keeps, in the order of the stack.
func (o Options) Select(s *chain.Stack) ([]*chain.Route, error) {
	if o.Routes == nil {
		return s.Routes, nil
	}
	var names []string
	for _, r := range s.Routes {
		names = append(names, r.Name)
	}
	for _, want := range o.Routes {
		if !slices.Contains(names, want) {
			return nil, fmt.Errorf("%w: %q is not in %s, which has %s", ErrNoRoute, want, s.Name, quoted(names))
		}
	}
	var out []*chain.Route
	for _, r := range s.Routes {
		if slices.Contains(o.Routes, r.Name) {
			out = append(out, r)
		}
	}
	return out, nil
}

func quoted(names []string) string {
	if len(names) == 0 {
		return "no routes"
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
}

// SortFiles puts files in the order of their names.
func SortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
}
