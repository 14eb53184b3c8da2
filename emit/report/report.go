// Package report lays a resolved stack out for people and programs: every
// timer in force on every route with its origin and slack, and for each fault
// who gives up, what the person sees and when.
//
// It computes nothing that package chain does not say, and judges nothing.
package report

import (
	"encoding/json"
	"io"

	"tchain.dev/tchain/chain"
)

// schemaVersion changes only when a field goes or changes its meaning;
// docs/json.md describes every field.
const schemaVersion = 1

// A Report is the object that `tchain report --format json` writes.
type Report struct {
	SchemaVersion int     `json:"schemaVersion"`
	Routes        []Route `json:"routes"`
}

// A Route is one request pattern with all that is in force on its way.
type Route struct {
	Stack    string   `json:"stack"`
	Route    string   `json:"route"`
	Entrance string   `json:"entrance"`
	Path     []string `json:"path"`
	Worst    Duration `json:"worst"`
	Hops     []Hop    `json:"hops"`
	Faults   []Fault  `json:"faults"`

	rate string // "3/s", "" if it is not declared
}

// A Duration is written as package chain writes it.
type Duration int64

// MarshalJSON is the duration in quotes: "95s", "never".
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// String is the duration in one unit, or "never".
func (d Duration) String() string { return chain.Format(chainTime(d)) }

// New is an empty report, for stacks to be added to.
func New() *Report { return &Report{SchemaVersion: schemaVersion, Routes: []Route{}} }

// Add puts all routes of a stack into the report.
func (r *Report) Add(s *chain.Stack) {
	for _, route := range s.Routes {
		r.Routes = append(r.Routes, routeOf(s, route))
	}
}

func routeOf(s *chain.Stack, r *chain.Route) Route {
	return Route{
		Stack: s.Name, Route: r.Name, Entrance: r.Entrance, Path: append([]string{}, r.Path...),
		Worst: Duration(chain.Worst(r, r.Root).Total),
		Hops:  hopsOf(r), Faults: faultsOf(r),
		rate: RateText(r.TPS),
	}
}

// WriteJSON writes the report as one object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
