package report

import (
	"strings"
	"unicode/utf8"
)

// A label is what stands beside a row of the picture: a name, and more of it below. A
// picture breaks no lines by itself, and nothing in it may be cut.
type label struct {
	x, units int // where it begins and how wide it may be
	lines    []labelLine
	height   int
}

type labelLine struct {
	class, words string
	y            int // of its foot, from the top of the row
}

// labelled is a label of a name and what is said of it, each with its class.
func labelled(x, units int, class, name, lesserClass, lesser string) label {
	l := label{x: x, units: units, height: 1}
	for _, part := range []struct{ class, words string }{{class, name}, {lesserClass, lesser}} {
		for _, line := range folded(part.words, fitting(part.class, units)) {
			l.height += 15
			l.lines = append(l.lines, labelLine{part.class, line, l.height})
		}
	}
	return l
}

// fitting is how many characters of a class fit into so many units.
func fitting(class string, units int) int { return units * 10 / (textSize(class) * 6) }

func textSize(class string) int {
	first, _, _ := strings.Cut(class, " ")
	switch first {
	case "big":
		return 22
	case "small":
		return 11
	}
	return 13
}

// folded are the lines of words that may each have so many characters. They break at
// spaces, else behind the signs of names, and where there is none of them anywhere.
func folded(words string, most int) []string {
	var out []string
	for utf8.RuneCountInString(words) > most {
		runes := []rune(words)
		at := most
		for _, breaks := range []string{" ", "-_./:"} {
			if i := lastBreak(runes[:most+1], breaks); i > most/3 {
				at = i
				break
			}
		}
		out = append(out, strings.TrimSpace(string(runes[:at])))
		words = strings.TrimSpace(string(runes[at:]))
	}
	return append(out, words)
}

// lastBreak is behind the last of some signs, or before a space; 0 if there is none.
func lastBreak(runes []rune, signs string) int {
	for i := len(runes) - 1; i > 0; i-- {
		if before := runes[i-1]; strings.ContainsRune(signs, before) || runes[i] == ' ' && signs == " " {
			return i
		}
	}
	return 0
}

func (p *svg) label(y int, l label) {
	for _, line := range l.lines {
		if line.words != "" {
			p.text(l.x, y+line.y, line.class, line.words, l.units)
		}
	}
}
