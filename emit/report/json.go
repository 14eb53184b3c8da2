package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	err := enc.Encode(r)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// Seal makes of each route its JSON and its name, which is all that some forms need: a
// report of many stacks takes a fraction of the memory so, and the work is done where
// the stacks are read. WriteJSON says of a route why it has no JSON.
func Seal(routes []Route) {
	for i := range routes {
		if text, err := routes[i].json(); err == nil {
			routes[i] = Route{Route: routes[i].Route, sealed: bytes.Clone(text)}
		}
	}
}
