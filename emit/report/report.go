// Package report lays a resolved stack out for people and programs: every
// timer in force on every route with its origin and slack, and for each fault
// who gives up, what the person sees and when.
//
// It computes nothing that package chain does not say, and judges nothing: what
// is found is given to it. report.go and its like are the data; each form of
// output is a file of its own that only lays them out.
package report

import (
	"strconv"
	"time"

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
	// NotChecked are phases that count as nothing in Worst, as those of a hop.
	NotChecked []string `json:"notChecked"`
	Hops       []Hop    `json:"hops"`
	Faults     []Fault  `json:"faults"`
	// Findings are those that hold for the route; New and Add give none, since
	// this package judges nothing.
	Findings []Finding `json:"findings"`

	rate    string // "3/s", "" if it is not declared
	unknown string // the injected setting without which Worst cannot be told, "" if there is none
	person  string // who waits outermost, in words
	main    int    // the fault that is shown first; -1 if there is none
	sealed  []byte // by Seal
}

// A Duration is written as package chain writes it.
type Duration int64

// MarshalText is the duration as JSON and YAML have it: "95s", "never".
func (d Duration) MarshalText() ([]byte, error) { return []byte(chain.Format(chainTime(d))), nil }

// String is the duration as a person says it: in one unit, from five minutes on in
// hours, minutes and seconds ("1h", "7m30s"), or "never".
func (d Duration) String() string {
	t := chainTime(d)
	if t == chain.Never || t < 5*time.Minute || t%time.Second != 0 {
		return chain.Format(t)
	}
	text := ""
	for _, u := range []struct {
		size time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := t / u.size; n > 0 {
			text += strconv.FormatInt(int64(n), 10) + u.name
		}
		t %= u.size
	}
	return text
}

// New is an empty report, for stacks to be added to.
func New() *Report { return &Report{SchemaVersion: schemaVersion, Routes: []Route{}} }

// Add puts all routes of a stack into the report and gives them back.
func (r *Report) Add(s *chain.Stack) []Route {
	first := len(r.Routes)
	r.Routes = append(r.Routes, RoutesOf(s)...)
	return r.Routes[first:]
}

// RoutesOf are the routes of a stack as a report has them. They hold nothing of
// the stack.
func RoutesOf(s *chain.Stack) []Route { return routesOf(s, faultsOf) }

// ToSeal is RoutesOf without what only pictures and pages show.
func ToSeal(s *chain.Stack) []Route { return routesOf(s, plainFaultsOf) }

func routesOf(s *chain.Stack, faultsOf func(*chain.Stack, *chain.Route) []Fault) []Route {
	out, all := make([]Route, 0, len(s.Routes)), demands(s)
	alike := map[chain.PlayKey][]Fault{} // routes that differ in no more than their names share them
	for _, route := range s.Routes {
		k := route.PlayKey()
		if alike[k] == nil {
			alike[k] = faultsOf(s, route)
		}
		out = append(out, routeOf(s, all, route, alike[k]))
	}
	return out
}

// person is who waits in front of a browser or another caller.
const person = "the person"

func routeOf(s *chain.Stack, all map[string]*chain.Demand, r *chain.Route, faults []Fault) Route {
	worst := chain.Worst(r, r.Root)
	out := Route{
		Stack: s.Name, Route: r.Name, Entrance: r.Entrance, Path: append([]string{}, r.Path...),
		Worst: Duration(worst.Total), NotChecked: eachOnce(worst.NotChecked), unknown: worst.Unknown,
		Hops: hopsOf(s, all, r), Faults: faults, Findings: []Finding{},
		rate: RateText(r.TPS), person: "the caller of " + r.Root.Layer,
	}
	if r.Root.Role == chain.RoleCaller {
		out.person = person
	}
	out.main = out.mainFault()
	return out
}
