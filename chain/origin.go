package chain

// A Range is a place in a file of the user's, lines and columns in runes from 1.
// The zero Range is no place.
type Range struct {
	File               string
	Line, Column       int
	EndLine, EndColumn int
}

// Source says how a value came about.
type Source string

// Where a value can come from.
const (
	Written  Source = "written"  // in the stack, at Origin.Pos
	Default  Source = "default"  // the product's own, of Origin.Version
	Derived  Source = "derived"  // by a rule of the product from other values, see Origin.Note
	Fixed    Source = "fixed"    // by the platform; no setting changes it
	Injected Source = "injected" // at run time, by --set or --env-file
)

// An Origin says where a value came from and how it could be changed.
type Origin struct {
	Source  Source
	Layer   string // the layer that holds the setting
	Setting string // where it stands in the stack: "proxy.nginx.server.proxy_read_timeout"
	ID      string // in the catalogue: "nginx.proxy_read_timeout"
	Name    string // the last word, for messages: "proxy_read_timeout"
	Text    string // the value in the product's own syntax: "90s", "145"
	Product string // "nginx 1.28.0"; the version is left out where none is written
	Proved  bool   // shown by a run of the product, not only by its documentation
	Doc     string // URL of the source of the fact
	Note    string // how it was derived, or what else decides it

	// Pos is the place that a person would edit: where the value is written, if that is
	// in the stack's own files, else where it is used first; the zero Range for what is
	// not written. Used is where it is used first if Pos is not that place, as with a
	// hidden field that several layers take. Shared is where it was written if that
	// is in none of the stack's own files, as in an imported package.
	Pos, Used, Shared Range

	// Estimate is the reason a team gave with @estimate. A finding that rests
	// on it is at most a warning. Empty for a value that is known.
	Estimate string

	// Place is how the value can be written or changed; nil if it cannot.
	Place *Place
}

// Said reports whether somebody gave the value, in the stack or at run time.
func (o Origin) Said() bool { return o.Source == Written || o.Source == Injected }

// StandAt gives the origin the places of another one.
func (o *Origin) StandAt(other Origin) {
	o.Pos, o.Used, o.Shared = other.Pos, other.Used, other.Shared
}

// A Place is where a setting can be written. The text of an edit is
// Before + the value in Notation + After, and it replaces Range, which is empty
// for a setting that is not written yet.
type Place struct {
	Range         Range
	Before, After string
	Notation      Notation
}

// Edit is the edit that sets the place to text.
func (p Place) Edit(text string) Edit {
	return Edit{Range: p.Range, NewText: p.Before + text + p.After}
}

// An Edit replaces a range of a file.
type Edit struct {
	Range   Range
	NewText string
}
