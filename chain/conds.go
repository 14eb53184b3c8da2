package chain

import (
	"fmt"
	"slices"
	"strings"
)

// CondText names some failures: "503", "timeout, reset and 2 more". All the
// statuses of a class are its name, as 5xx.
func CondText(cs []Cond) string {
	const most = 3
	var words []string
	for _, c := range cs {
		word := string(c)
		if class := word[:1]; len(word) == 3 && (class == "4" || class == "5") && wholeClass(cs, class) {
			word = class + "xx"
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

func wholeClass(cs []Cond, class string) bool {
	n := 0
	for _, c := range cs {
		if len(c) == 3 && strings.HasPrefix(string(c), class) {
			n++
		}
	}
	return n == 100
}
