package compile

import (
	"strconv"
	"strings"
	"time"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// sum is what a text was meant to be that CUE has joined of durations: it takes
// "30s" + "10s" for "30s10s". shown is the sum as it stands, and write what it
// comes to in the field's own notation; ok is false of any other text.
func (f *Field) sum(v cue.Value) (shown, write string, ok bool) {
	if f.Notation == nil {
		return "", "", false
	}
	parts := addends(v)
	total := time.Duration(0)
	for i, text := range parts {
		d, known := anyDuration(text)
		if !known {
			var err error
			if d, err = f.Notation.Parse(text); err != nil {
				return "", "", false
			}
		}
		total, parts[i] = chain.Add(total, d), strconv.Quote(text)
	}
	return strings.Join(parts, " + "), f.sample(chain.Format(total)), len(parts) > 1
}

// addends are the texts that + joins in an expression, one that joins nothing is
// the text itself.
func addends(v cue.Value) []string {
	op, args := v.Expr()
	if op != cue.AddOp {
		text, _ := v.String()
		return []string{text}
	}
	var out []string
	for _, a := range args {
		out = append(out, addends(a)...)
	}
	return out
}
