package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func TestAPhaseThatAVendorDoesNotDocumentIsNotChecked(t *testing.T) {
	for product, phases := range map[string][]string{
		"gcpLB":           {"connecting"},
		"azureAppGateway": {"connecting", "the response header"}, // it names a limit for the first byte only
		"classicElb":      {"connecting"},
		"cloudflare":      nil,
		"alb":             nil,
		"nlb":             nil, // the browser connects to what is behind it
	} {
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
		var got []string
		for _, n := range check.NotChecked(stackOf(t, text)) {
			if phase, ok := strings.CutPrefix(n.Reason, "no setting of "+product+" bounds "); ok {
				got = append(got, phase)
			}
		}
		if !slices.Equal(got, phases) {
			t.Errorf("%s: %q, want %q", product, got, phases)
		}
	}
}
