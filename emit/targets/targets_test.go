package targets

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/sample"
)

func TestEveryTargetCanBeListedAndRun(t *testing.T) {
	var names []string
	for _, target := range All {
		names = append(names, target.Name)
		if target.Title == "" || strings.HasSuffix(target.Title, ".") {
			t.Errorf("%s: title %q", target.Name, target.Title)
		}
		if found, ok := Named(target.Name); !ok || found.Title != target.Title {
			t.Errorf("Named(%s) finds %q", target.Name, found.Name)
		}
		stack := sample.Insurance()
		switch target.Name {
		case "envoy":
			stack = sample.Fronted()
		case "gateway-api":
			stack = sample.Gated()
		case "haproxy":
			stack = sample.Balanced()
		case "ingress-nginx":
			stack = sample.Ingressed()
		case "istio":
			stack = sample.Meshed()
		}
		files, _, err := target.Emit(stack, emit.Options{})
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", target.Name, len(files), err)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(All) {
		t.Errorf("targets are not sorted or not unique: %v", names)
	}
	if _, ok := Named("none"); ok {
		t.Error("there is a target named none")
	}
}
