package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

func TestAPhaseThatAVendorDoesNotDocumentIsNotChecked(t *testing.T) {
	for _, product := range []string{"gcpLB", "azureAppGateway", "cloudflare"} {
		text := `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 200_000
	gw: ` + product + `: {}
	api: app: server: gohttp: {}
}
routes: "GET /": path: ["web", "gw", "api"]
`
		for _, f := range findings(t, text) {
			if f.Rule == "error-room" && strings.Contains(f.Message, "nothing ends") || f.Rule == "no-limit" {
				t.Errorf("%s: %s", product, f.Message)
			}
		}
		want := "no setting of " + product + " bounds connecting"
		if all := check.NotChecked(stackOf(t, text)); product == "gcpLB" && !slices.ContainsFunc(all, func(n chain.NotChecked) bool { return n.Reason == want }) {
			t.Errorf("%s: %v", product, all)
		}
	}
}
