package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tchain.dev/tchain/chain"
)

// TestTheClientsPageShowsWhatIsReallyPrinted adds each example of the page to its stack
// and looks for the lines under each command, in their order, in what it prints.
func TestTheClientsPageShowsWhatIsReallyPrinted(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	frame, dir, commands := "", "", 0
	shown := true // of the example before, that something is
	for _, b := range fenced(string(page)) {
		switch b.Name {
		case "":
			frame = string(b.Data)
		case "cue":
			if !shown {
				t.Error("an example before it shows nothing:\n" + string(b.Data))
			}
			dir, shown = t.TempDir(), false
			if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(frame+"\n"+string(b.Data)), 0o644); err != nil {
				t.Fatal(err)
			}
		case "console":
			command, want, _ := strings.Cut(strings.TrimPrefix(string(b.Data), "$ tchain "), "\n")
			out := "\n" + runIn(t, dir, words(command)...)
			for line := range strings.Lines(want) {
				_, rest, found := strings.Cut(out, "\n"+line)
				if !found {
					t.Errorf("%s does not print, there:\n%s\nbut:\n%s", command, line, out)
					break
				}
				out = "\n" + rest
			}
			commands++
			shown = true
		default:
			t.Errorf("a block of %s is not run", b.Name)
		}
	}
	if !shown || commands < 8 {
		t.Errorf("only %d commands are run", commands)
	}
}

// TestTheClientsPageHasAllWordsForFailures looks for a row of each.
func TestTheClientsPageHasAllWordsForFailures(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []chain.Cond{
		chain.CondPoolTimeout, chain.CondDNSTimeout, chain.CondConnectTimeout, chain.CondRefused, chain.CondTLSTimeout, chain.CondWriteTimeout,
		chain.CondTimeout, chain.CondReset, chain.CondStale, chain.CondKilled, chain.CondCut, chain.CondDeadline,
	} {
		if !strings.Contains(string(page), "\n| `"+string(c)+"` |") {
			t.Errorf("it has no row of %s", c)
		}
	}
}

// fenced are the blocks of a page in order, named by their language.
func fenced(page string) []txtar.File {
	var out []txtar.File
	parts := strings.Split("\n"+page, "\n```")
	for i := 1; i < len(parts); i += 2 {
		language, text, _ := strings.Cut(parts[i], "\n")
		out = append(out, txtar.File{Name: language, Data: []byte(text + "\n")})
	}
	return out
}

// words are those of a command line, in which only single quotes hold several together.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
