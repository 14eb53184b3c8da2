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
	if n := saidColumns(); n > 0 {
		return n
	}
	if n := terminalColumns(term); n > 0 {
		return max(n, fewestColumns)
	}
	return 0
}

// reportColumns is the width of a report, which is read through pipes, too:
// COLUMNS holds there as well.
func reportColumns(term *os.File) int {
	if n := columns(term); n > 0 {
		return n
	}
	return saidColumns()
}

// fewestColumns is as narrow as anything is printed.
const fewestColumns = 40

// saidColumns is what COLUMNS says, 0 if it says nothing.
func saidColumns() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, fewestColumns)
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
