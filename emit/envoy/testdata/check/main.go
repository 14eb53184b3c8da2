// Command check reads a file of Envoy's resources strictly by the types of Envoy's
// own API, and has the rules that stand in those types for each value hold.
//
// Usage: check routes|listener|cluster < file
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(kind string, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	for doc := range bytes.SplitSeq(text, []byte("\n---\n")) {
		switch kind {
		case "routes":
			err = routes(doc, out)
		case "listener":
			err = strict(doc, &hcm.HttpConnectionManager{})
		case "cluster":
			var c cluster.Cluster
			if err = strict(doc, &c); err == nil {
				err = c.ValidateAll()
			}
			fmt.Fprintln(out, c.GetName())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func routes(doc []byte, out io.Writer) error {
	var found discovery.DiscoveryResponse
	if err := strict(doc, &found); err != nil {
		return err
	}
	for _, one := range found.GetResources() {
		var config route.RouteConfiguration
		if err := one.UnmarshalTo(&config); err != nil {
			return err
		}
		if err := config.ValidateAll(); err != nil {
			return err
		}
		for _, host := range config.GetVirtualHosts() {
			fmt.Fprintln(out, config.GetName(), host.GetName(), len(host.GetRoutes()))
		}
	}
	return nil
}

// strict reads YAML by a type, of which it knows every field.
func strict(doc []byte, into proto.Message) error {
	text, err := yaml.YAMLToJSONStrict(doc)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(text, into)
}
