package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// WriteJSON writes the report as one object, a route at a time.
func (r *Report) WriteJSON(w io.Writer) error {
	if len(r.Routes) == 0 {
		_, err := fmt.Fprintf(w, "{\n  \"schemaVersion\": %d,\n  \"routes\": []\n}\n", r.SchemaVersion)
		return err
	}
	between := fmt.Sprintf("{\n  \"schemaVersion\": %d,\n  \"routes\": [\n    ", r.SchemaVersion)
	for i := range r.Routes {
		text, err := r.Routes[i].json()
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		between = ",\n    "
	}
	_, err := io.WriteString(w, "\n  ]\n}\n")
	return err
}

// json is the route as WriteJSON indents it.
func (r *Route) json() ([]byte, error) {
	if r.sealed != nil {
		return r.sealed, nil
	}
	return newSealer().route(r)
}

// Seal makes of each route its JSON and its name, which is all that some forms need: a
// report of many stacks takes a fraction of the memory so, and the work is done where
// the stacks are read. WriteJSON says of a route why it has no JSON.
func Seal(routes []Route) {
	s := newSealer()
	for i := range routes {
		if text, err := s.route(&routes[i]); err == nil {
			routes[i] = Route{Route: routes[i].Route, sealed: text}
		}
	}
}

// A sealer writes routes as JSON, one after the other. Routes that differ in no more
// than their names have the same faults, which are most of the text: those it writes
// once.
type sealer struct {
	text   bytes.Buffer
	whole  *json.Encoder // of a route in the report
	inside *json.Encoder // of a field of it
	faults map[*Fault][]byte
}

func newSealer() *sealer {
	s := &sealer{faults: map[*Fault][]byte{}}
	s.whole, s.inside = json.NewEncoder(&s.text), json.NewEncoder(&s.text)
	s.whole.SetIndent("    ", "  ")
	s.inside.SetIndent("      ", "  ")
	for _, enc := range []*json.Encoder{s.whole, s.inside} {
		enc.SetEscapeHTML(false)
	}
	return s
}

// noFaults is how a route's text says that it has none. It is there once: no string in
// JSON holds the end of a line.
const noFaults = "\n      \"faults\": []"

// route is the text of one route.
func (s *sealer) route(r *Route) ([]byte, error) {
	if len(r.Faults) == 0 {
		text, err := s.encode(s.whole, r)
		return bytes.Clone(text), err
	}
	faults, ok := s.faults[&r.Faults[0]]
	if !ok {
		text, err := s.encode(s.inside, r.Faults)
		if err != nil {
			return nil, err
		}
		faults = bytes.Clone(text)
		s.faults[&r.Faults[0]] = faults
	}
	without := *r
	without.Faults = []Fault{}
	text, err := s.encode(s.whole, &without)
	if err != nil {
		return nil, err
	}
	before, after, _ := bytes.Cut(text, []byte(noFaults))
	return slices.Concat(before, []byte(noFaults[:len(noFaults)-len("[]")]), faults, after), nil
}

// encode is a text that is good until the next one.
func (s *sealer) encode(enc *json.Encoder, v any) ([]byte, error) {
	s.text.Reset()
	err := enc.Encode(v)
	return bytes.TrimSuffix(s.text.Bytes(), []byte("\n")), err
}
