package compile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"cuelang.org/go/cue"
)

// meant is what to say about an unknown name: the one that was meant, or else
// the choices if there are at most `few`.
func meant(name string, known []string, few int) string {
	if best := Closest(name, known); best != "" {
		return "did you mean " + best + "?"
	}
	if len(known) == 0 || few > 0 && len(known) > few {
		return "see tchain settings"
	}
	return "it takes " + list(known, "and")
}

// Closest is the known name that a typo most likely meant, never the name itself;
// "" if none is near.
func Closest(name string, known []string) string {
	best, least := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if k == name {
			continue
		}
		if strings.EqualFold(k, name) || squeezed(k) == squeezed(name) {
			return k
		}
		if n := distance(strings.ToLower(name), strings.ToLower(k)); n < least {
			best, least = k, n
		}
	}
	return best
}

// likely is the known name that somebody wrote or meant, "" if there is none near.
func likely(name string, known []string) string {
	if slices.Contains(known, name) {
		return name
	}
	return Closest(name, known)
}

// squeezed is a name without what tells dialects apart: idleTimeout, idle_timeout, idle-timeout.
func squeezed(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// distance is the number of letters to insert, drop, change or swap with the next.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range x {
		two, one, now := rows[0], rows[1], rows[2]
		now[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			now[j+1] = min(one[j]+cost, one[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				now[j+1] = min(now[j+1], two[j-1]+1)
			}
		}
		rows = [3][]int{one, now, two}
	}
	return rows[1][len(y)]
}

// list is "a, b and c".
func list(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return out
}

// shownValue is a value in a message.
func shownValue(v cue.Value) string {
	switch v = concrete(v); v.Kind() {
	case cue.StringKind:
		s, _ := v.String()
		return strconv.Quote(s)
	case cue.IntKind, cue.FloatKind, cue.NumberKind:
		if b, err := v.MarshalJSON(); err == nil {
			return string(b)
		}
	case cue.BoolKind:
		if b, _ := v.Bool(); b {
			return "true"
		}
		return "false"
	case cue.ListKind:
		return "a list"
	case cue.StructKind:
		return "a struct"
	case cue.NullKind:
		return "null"
	case cue.BytesKind:
		return "bytes"
	}
	return "a type without a value"
}

func isDate(text, layout string) bool {
	_, err := time.Parse(layout, text)
	return err == nil
}

// an is a word with its article.
func an(word string) string {
	if word != "" && strings.ContainsRune("aeiouAEIOU", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
