// Command check reads Istio's resources from standard input as YAML documents, each
// strictly by its own type of Istio's API, and writes them back as JSON.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"istio.io/api/networking/v1alpha3"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	for doc := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var object struct {
			APIVersion string         `json:"apiVersion"`
			Kind       string         `json:"kind"`
			Metadata   map[string]any `json:"metadata"`
			Spec       any            `json:"spec"`
		}
		if err := yaml.UnmarshalStrict(doc, &object); err != nil {
			return err
		}
		var spec proto.Message
		switch object.Kind {
		case "VirtualService":
			spec = &v1alpha3.VirtualService{}
		case "DestinationRule":
			spec = &v1alpha3.DestinationRule{}
		default:
			return fmt.Errorf("%s is no kind that is known here", object.Kind)
		}
		if object.APIVersion != "networking.istio.io/v1" || object.Metadata["name"] == nil {
			return fmt.Errorf("%s %v is no object of networking.istio.io/v1", object.Kind, object.Metadata["name"])
		}
		raw, err := yaml.Marshal(object.Spec)
		if err != nil {
			return err
		}
		if raw, err = yaml.YAMLToJSON(raw); err != nil {
			return err
		}
		if err := protojson.Unmarshal(raw, spec); err != nil {
			return fmt.Errorf("%s: %w", object.Kind, err)
		}
		fmt.Fprintf(out, "%s %v\n", object.Kind, object.Metadata["name"])
	}
	return nil
}
