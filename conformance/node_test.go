package conformance

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestNode(t *testing.T) {
	processes := map[string]*scriptProcess{}
	for _, major := range nodeMajors {
		n, err := startNode(major)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.close)
		processes[nodeKey+"-"+major] = n
	}
	runBlocks(t, NodeScenarios(), func(s BlockScenario) (Result, error) { return processes[s.Product].drive(s) })
}

func TestAMissingNodeIsAnErrorThatSaysWhatToDo(t *testing.T) {
	if _, err := startNode("3"); err == nil || err.Error() != "node 3 is missing: run make test" {
		t.Errorf("the error is %v", err)
	}
}

func TestNodeHasTheDefaultsOfTheCatalogue(t *testing.T) {
	for _, major := range nodeMajors {
		n, err := startNode(major)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.close)
		s := BlockScenario{Scenario: Scenario{Product: nodeKey + "-" + major}, Key: nodeKey, Side: "defaults", Block: []byte("{}")}
		one, err := n.run(s, map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		ours := map[string]string{}
		for side, prefix := range map[chain.Side]string{chain.Answering: "server ", chain.Calling: "agent "} {
			s.Side, s.Upstreams = side, times(1, works)
			routes, err := blockRoutes(t.TempDir(), []BlockScenario{s})
			if err != nil {
				t.Fatal(err)
			}
			for _, node := range routes[0].Nodes() {
				for _, set := range node.Settings {
					if _, name, ok := strings.Cut(set.Origin.ID, nodeKey+"."); ok && node.Layer == programLayer {
						ours[prefix+strings.TrimPrefix(name, "agent.")] = set.Value
					}
				}
			}
		}
		for name, theirs := range one.Defaults {
			if theirs == nil {
				theirs = "0" // Infinity, which JSON does not have
			}
			if got := ours[name]; got != fmt.Sprint(theirs) {
				t.Errorf("node %s: %s is %v, the catalogue says %q", one.Version, name, theirs, got)
			}
		}
		if len(one.Defaults) < 12 {
			t.Errorf("node %s says %v only", one.Version, one.Defaults)
		}
	}
}
