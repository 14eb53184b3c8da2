package main

import (
	"strings"
	"testing"

	"tchain.dev/tchain/compile"
)

func TestNearest(t *testing.T) {
	choices := []string{"check", "emit", "report", "explain", "error-room", "pool-size"}
	for word, want := range map[string]string{
		"chek": "check", "cehck": "check", "CHECK": "check", "repotr": "report", "eror-room": "error-room",
		"poolsize": "pool-size", "xyz": "", "": "",
	} {
		if got := compile.Closest(word, choices); got != want {
			t.Errorf("Closest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestUnknownNamesTheChoicesWhereTheyAreFew(t *testing.T) {
	if got := unknown("shell", "tcsh3", []string{"bash", "zsh"}).Error(); got != `unknown shell "tcsh3"; it is one of bash, zsh` {
		t.Error(got)
	}
	many := strings.Split("abcdefghijklmnopq", "")
	if got := unknown("rule", "zzzz", many).Error(); got != `unknown rule "zzzz"` {
		t.Error(got)
	}
}
