package targets

import (
	"errors"
	"strings"
	"testing"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit"
)

// A part of a millisecond is written as it is or refused: where the product's timers
// count in milliseconds, it is not cut off without a word.
func TestAPartOfAMillisecondIsWrittenOrRefused(t *testing.T) {
	for _, h := range homes {
		docs, err := compile.Settings(h.key)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			if d.Category != h.category || d.Fixed {
				continue
			}
			path := placeholder.ReplaceAllString(strings.ReplaceAll(d.Paths[0], "<peer>", "api"), `"/"`)
			for _, part := range []string{`"2500us"`, `"0.0025s"`} {
				v := strings.Trim(part, `"`)
				if !strings.HasSuffix(value(d), `s"`) { // no duration with a unit
					continue
				}
				set := append([][2]string{{path, part}}, together[d.ID]...)
				stack, errs := read(t, h.text(set))
				if errs != nil {
					continue // the product does not take it
				}
				target, _ := Named(h.target)
				files, _, err := target.Emit(stack, emit.Options{})
				if no := (*emit.Refusal)(nil); errors.As(err, &no) {
					continue
				}
				for _, f := range files {
					for line := range strings.SplitSeq(string(f.Content), "\n") {
						if strings.Contains(line, "."+h.key+"."+path) && !strings.Contains(line, v) && !strings.Contains(line, "2500") && !strings.Contains(line, "2_500") && !strings.Contains(line, "2.5ms") {
							t.Errorf("%s: %s %s: %s", h.target, path, part, line)
						}
					}
				}
			}
		}
	}
}
