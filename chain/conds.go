package chain

import (
	"fmt"
	"slices"
	"strings"
)

// CondText names some failures: "503", "timeout, reset and 2 more". All the
// statuses of a class are its name, as 5xx, and all but one are "4xx but 429".
func CondText(cs []Cond) string {
	const most = 3
	var words []string
	for _, c := range cs {
		word := string(c)
		if class := word[:1]; len(word) == 3 && (class == "4" || class == "5") {
			if name, ok := classOf(cs, class); ok {
				word = name
			}
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, " or ")
}

// classOf is the name of a class of statuses that are all among some failures,
// or all but one.
func classOf(cs []Cond, class string) (name string, ok bool) {
	missing := ""
	for n := range 100 {
		status := fmt.Sprintf("%s%02d", class, n)
		switch {
		case slices.Contains(cs, Cond(status)):
		case missing != "":
			return "", false
		default:
			missing = status
		}
	}
	if missing != "" {
		return class + "xx but " + missing, true
	}
	return class + "xx", true
}
