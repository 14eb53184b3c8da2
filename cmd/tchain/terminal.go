package main

import (
	"os"
	"strconv"
	"strings"
)

// columns is the width to print for: that of the terminal, or 0 for none.
// COLUMNS wins, as with other programs.
func columns(term *os.File) int {
	if term == nil {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, 40)
	}
	if n := terminalColumns(term); n > 0 {
		return max(n, 40)
	}
	return 0
}

// canClear reports whether the terminal knows how to clear a line.
func canClear() bool {
	term := os.Getenv("TERM")
	return term != "" && term != "dumb"
}

// count is a number with its word: "1 finding", "2 findings".
func count(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// list is words with commas and a last "or".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
