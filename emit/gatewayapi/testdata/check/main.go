// Command check applies a patch, as kustomize does, to an HTTPRoute on standard
// input, reads what comes out strictly by Gateway API's own type, and writes what
// each rule says.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(file string, in io.Reader, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if text, err = yaml.YAMLToJSONStrict(text); err != nil {
		return err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return err
	}
	object, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if object, err = yaml.YAMLToJSONStrict(object); err != nil {
		return err
	}
	if object, err = patch.Apply(object); err != nil {
		return err
	}
	var route gateway.HTTPRoute
	if err := yaml.UnmarshalStrict(object, &route); err != nil {
		return err
	}
	for _, r := range route.Spec.Rules {
		said, err := json.Marshal([]any{r.Timeouts, r.Retry})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", *r.Matches[0].Path.Value, said)
	}
	return nil
}
