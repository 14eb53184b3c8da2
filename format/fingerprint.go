package format

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"tchain.dev/tchain/check"
)

// Fingerprints are one stable name for each finding of a stack, in their
// order. A fingerprint holds no line number and nothing of the message, so that
// it survives edits above the finding, a change of size that does not clear it,
// and better words; two findings that differ in nothing else are told apart by
// their order.
func Fingerprints(findings []check.Finding) []string {
	out := make([]string, len(findings))
	seen := map[string]int{}
	for i, f := range findings {
		key := strings.Join([]string{f.Rule, f.Stack, f.Layer, f.Setting}, "\x00")
		if n := seen[key]; n > 0 {
			out[i] = digest(fmt.Sprintf("%s\x00%d", key, n))
		} else {
			out[i] = digest(key)
		}
		seen[key]++
	}
	return out
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
