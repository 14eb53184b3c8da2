package main

import (
	"path/filepath"
	"testing"
)

func TestLinksLeadFromThePageToTheStack(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	for _, tt := range []struct {
		name, page, file string
		line             int
		want             string
	}{
		{"beside", "report.html", "stack.cue", 3, "./stack.cue#L3"},
		{"a page of standard output is where it was asked for", "", "a/stack.cue", 3, "./a/stack.cue#L3"},
		{"from a folder", "out/report.html", "a/stack.cue", 3, "../a/stack.cue#L3"},
		{"a file as a whole", "report.html", "stack.cue", 0, "./stack.cue"},
		{"a file by its whole name", "report.html", filepath.Join(root, "a", "stack.cue"), 3, "./a/stack.cue#L3"},
		{"a name that looks like a scheme", "report.html", "javascript:alert(1)", 1, "./javascript:alert%281%29#L1"},
		{"a name with signs that end a name", "report.html", "a b#c?d%.cue", 1, "./a%20b%23c%3Fd%25.cue#L1"},
	} {
		if got := linksFrom(tt.page)(tt.file, tt.line); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
