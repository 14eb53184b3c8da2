package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// worstValues are what no flag and no argument should be given.
var worstValues = []struct{ name, text string }{
	{"nothing", ""},
	{"a blank", " "},
	{"a flag", "-x"},
	{"another flag", "--format"},
	{"a NUL", "a\x00b"},
	{"two lines", "a\nb"},
	{"signs of a terminal", "\x1b[31ma\u202eb"},
	{"another alphabet", "größe 大小"},
	{"no UTF-8", "a\xff"},
	{"64 KiB", strings.Repeat("x", 1<<16)},
	{"a directory", "dir"},
	{"a file in a file", "stack.cue/x"},
	{"a link to itself", "ring"},
	{"what is not there", "nosuch/none"},
	{"the way out", "../../../../../../../../etc/passwd"},
	{"a pair without a name", "=x"},
	{"a pair without a value", "x="},
	{"a number too large", "99999999999999999999"},
	{"less than nothing", "-1"},
	{"no number", "NaN"},
	{"a verb", "%s%n%!d"},
	{"a command", "$(touch pwned)"},
	{"a ref of no commit", "HEAD~99999"},
	{"a ref in a ref", "main:stack.cue"},
}

// worstArgs are the arguments that a command needs besides the flag in question.
var worstArgs = map[string][]string{
	"tchain completion":    {"bash"},
	"tchain diff":          {"stack.cue", "stack.cue"},
	"tchain emit":          {"nginx"},
	"tchain explain":       {"stack.cue", "GET /price"},
	"tchain init":          {"fresh"},
	"tchain schema vendor": {"fresh"},
}

// worksWith are flags for which some of the worst values are none: any text is the
// name of a file that is written, and a variable may be empty.
var worksWith = map[string]bool{
	"tchain baseline write --baseline": true, "tchain emit --out": true,
	"--cpuprofile": true, "--memprofile": true,
}

func TestTheWorstValuesOfEveryFlag(t *testing.T) {
	w := newWorst(t)
	runs := 0
	w.commands(func(cmd *cobra.Command, args []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			flag, name := "--"+f.Name, cmd.CommandPath()+" --"+f.Name
			may := worksWith[flag] || worksWith[name]
			for _, v := range worstValues {
				if f.Value.Type() == "bool" && v.name == "nothing" {
					continue
				}
				runs++
				w.run(name+"="+v.name, may, append(args, flag+"="+v.text)...)
			}
			if f.Value.Type() == "bool" {
				return
			}
			w.run(name+" at the end", false, append(args, flag)...)
			// What follows is its value, whatever it looks like.
			w.run(name+" -x", may, append(args, flag, "-x")...)
			w.run(name+" twice", may, append(args, flag+"=nosuch/one", flag+"=nosuch/two")...)
		})
		w.run(cmd.CommandPath()+" with a flag that is none", false, append(args, "--nosuch")...)
		w.run(cmd.CommandPath()+" with a letter that is none", false, append(args, "-Z")...)
	})
	if runs < 1000 {
		t.Errorf("only %d runs", runs)
	}
}

func TestTheWorstArgumentsOfEveryCommand(t *testing.T) {
	w := newWorst(t)
	w.commands(func(cmd *cobra.Command, args []string) {
		words := strings.Fields(cmd.CommandPath())[1:]
		given := args[len(words):]
		for _, v := range worstValues {
			// init and schema vendor take the name of a directory that is not there.
			may := len(given) == 1 && given[0] == "fresh" && v.text != "" || v.name == "a directory" && cmd.Name() == "diff" || cmd.Name() == "tchain" && v.text == ""
			for at := range max(len(given), 1) {
				with := append([]string{}, given...)
				if len(with) == 0 {
					with = []string{""}
				}
				with[at] = v.text
				w.run(cmd.CommandPath()+" "+v.name, may, append(append(words[:len(words):len(words)], "--"), with...)...)
			}
		}
		w.run(cmd.CommandPath()+" with too much", false, append(args, "nosuch/a", "nosuch/b", "nosuch/c")...)
	})
}

// Flags that say opposite things, and flags that have no effect together.
func TestContradictions(t *testing.T) {
	w := newWorst(t)
	for _, args := range []string{
		"check --set A=1 --set A=2",
		"check --severity error-room=off --severity error-room=error",
		"check --output json=x --output sarif=x",
		"check --output json=x --output sarif=./dir/../x",
		"check --base main --base nosuch",
		"check --format text --format nosuch",
		"baseline write --prune --baseline nosuch.json",
		"emit nginx --check",
		"emit nginx --package pay",
		"explain error-room --hop api:price",
		"explain nginx.proxy_read_timeout --at price",
		"explain --fault silent",
		"explain error-room --set A=1",
		"explain stack.cue nosuch --fault silent",
		"report --width 0",
		"diff stack.cue stack.cue --set A=1",
		"diff main:../stack.cue stack.cue",
		"diff main:/stack.cue nosuch:",
		"diff -- --all stack.cue",
		"check --base --all",
		"check --base=-x",
		"check --base ^main",
		"check --base main..main",
		"check --base main^{tree}",
		"check --base :/stack",
		"check --base main@{99999}",
		"check --base main nosuch",
		"check --base main ..",
		"check ring",
		"check ring/...",
		"check stack.cue stack.cue/...",
	} {
		w.run(args, false, strings.Fields(args)...)
	}
}

// A worst is a directory with a stack in a repository of git, and other things that
// a name may lead to.
type worst struct {
	*testing.T
	had map[string]bool
}

func newWorst(t *testing.T) *worst {
	t.Helper()
	r := newRunner(t, ciStack)
	t.Chdir(r.dir)
	for _, pair := range r.env {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_CONFIG") {
			t.Setenv(name, value)
		}
	}
	replace(t, "stack.cue", ciStack)
	replace(t, "dir/readme", "")
	if err := os.Symlink("ring", "ring"); err != nil {
		t.Fatal(err)
	}
	r.must("git add -A && git commit -q -m stack")
	return &worst{t, tree(t)}
}

// commands are all that run, with the arguments that they need.
func (w *worst) commands(fn func(*cobra.Command, []string)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		words := append(strings.Fields(cmd.CommandPath())[1:], worstArgs[cmd.CommandPath()]...)
		fn(cmd, words[:len(words):len(words)])
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot(&run{}))
}

// run runs what nobody can mean: it says why in a line, with a hint at most, and
// leaves nothing behind. What may work may.
func (w *worst) run(name string, may bool, args ...string) {
	w.Helper()
	var stdout, stderr bytes.Buffer
	code := Command{strings.NewReader(""), &stdout, &stderr}.Main(args)
	out, errs := stdout.String(), stderr.String()
	var left []string
	for path := range tree(w.T) {
		if !w.had[path] {
			left = append(left, path)
			os.RemoveAll(path)
		}
	}
	for _, x := range out + errs {
		if unicode.IsControl(x) && x != '\n' && x != '\t' {
			w.Errorf("%s: prints %q", name, x)
			break
		}
	}
	switch {
	case may && code == ExitClean:
		return
	case code != ExitUsage:
		w.Errorf("%s: exit %d\n%.300s%.300s", name, code, out, errs)
		return
	}
	first, rest, _ := strings.Cut(errs+out, "\n")
	hint := strings.TrimSuffix(rest, "\n")
	switch usage := strings.HasPrefix(first, "tchain"); {
	case len(left) > 0:
		w.Errorf("%s: left %q", name, left)
	case usage && (strings.Contains(hint, "\n") || len([]rune(first)) > 700):
		w.Errorf("%s: says\n%.500s", name, errs+out)
	case !usage && !(strings.Contains(": "+first, ": error: ") && worstInput.MatchString(rest)):
		w.Errorf("%s: says\n%.500s", name, errs+out)
	}
	for _, word := range []string{"strconv", "goroutine", "%!", `invalid argument "`, "tchain: internal", "<nil>", os.TempDir()} {
		if strings.Contains(first, word) && !strings.Contains(name, "a verb") {
			w.Errorf("%s: says %.300q", name, first)
		}
	}
}

// worstInput is what comes after the mistakes in the input, each a line.
var worstInput = regexp.MustCompile(`^(.+: error: .+\n)*\n(nothing was checked|1 stack could not be read|no findings in 1 stack; 1 mistake outside of the stacks)\n(tchain .*: nothing is written to .*\n)?$`)

// tree is every file below the current directory but git's own.
func tree(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		out[path] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
