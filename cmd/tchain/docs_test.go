package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/check"
)

// The pages under docs that are made of what the program knows, and the parts
// of README that show what it prints. TCHAIN_UPDATE=1 writes them.
func TestTheGeneratedPagesAreUpToDate(t *testing.T) {
	for _, rule := range check.Rules {
		page(t, "rules/"+rule.ID+".md", rulePage(t, rule))
	}
	page(t, "rules/README.md", rulesIndex())
	settings, err := settingsPage(catalogue{})
	if err != nil {
		t.Fatal(err)
	}
	page(t, "settings.md", settings)
	page(t, "conformance.md", conformancePage(t))
	stalePages(t)
}

// TestThePictureOfTheDocumentationIsDrawnByTheTool holds docs/report.svg.
func TestThePictureOfTheDocumentationIsDrawnByTheTool(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	picture := runIn(t, "../..", "report", "examples/insurance-broken", "--format", "svg")
	t.Chdir(here)
	page(t, "report.svg", picture)
}

// page holds one page against the file, or writes it.
func page(t *testing.T, name, want string) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", filepath.FromSlash(name))
	if os.Getenv("TCHAIN_UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; TCHAIN_UPDATE=1 writes it", err)
		return
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("docs/%s is stale; TCHAIN_UPDATE=1 writes it (-want +got):\n%s", name, d)
	}
}

// stalePages are pages of rules that do not exist.
func stalePages(t *testing.T) {
	files, err := filepath.Glob("../../docs/rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".md")
		if id != "README" && check.Find(id) == nil {
			t.Errorf("%s is the page of no rule", f)
		}
	}
}

// runIn runs the command in a directory and gives what it prints.
func runIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	t.Chdir(dir)
	var out, errs bytes.Buffer
	Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}.Main(args)
	return out.String() + errs.String()
}

func rulePage(t *testing.T, rule *check.Rule) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# " + rule.ID + "\n\n" + upperFirst(rule.Title) + ".\n\n" + fill(rule.Why, 120) + "\n\n")
	b.WriteString("At most " + rule.Severity.String() + ", since " + rule.Since + standing(rule) + ".\n")
	if rule.NoOutcome != "" {
		b.WriteString("\n" + fill(noOutcome(rule), 120) + "\n")
	}
	if len(rule.Options) > 0 {
		b.WriteString("\n## Options\n\nIn `policy`:\n\n")
		for _, o := range rule.Options {
			b.WriteString("- `" + o.Name + "`: " + o.Doc + ". Default: " + o.Default + ".\n")
		}
	}
	b.WriteString("\n## An example\n\n```cue\n" + rule.Bad() + "```\n\n```console\n$ tchain check stack.cue\n" + exampleOutput(t, rule.Bad()) + "```\n")
	b.WriteString("\n## Without it\n\n```cue\n" + rule.Clean() + "```\n")
	return b.String()
}

func exampleOutput(t *testing.T, stack string) string {
	t.Helper()
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer t.Chdir(old)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(stack), 0o644); err != nil {
		t.Fatal(err)
	}
	return runIn(t, dir, "check", "--info", "stack.cue")
}

// TestTheREADMEShowsWhatIsReallyPrinted looks for the README's finding, line by
// line, in the output of the command above it.
func TestTheREADMEShowsWhatIsReallyPrinted(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "check examples/insurance-broken\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("the README has no finding")
	}
	if out := runIn(t, "../..", "check", "examples/insurance-broken"); !strings.Contains(out, block) {
		t.Errorf("not printed:\n%s\nprinted:\n%s", block, out)
	}
}

// TestTheREADMEsStackIsClean takes the twelve lines as a newcomer would.
func TestTheREADMEsStackIsClean(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, stack, _ := strings.Cut(string(readme), "```cue\n")
	stack, _, _ = strings.Cut(stack, "```")
	if n := strings.Count(stack, "\n"); n > 12 {
		t.Errorf("the stack has %d lines", n)
	}
	if out := exampleOutput(t, stack); out != "1 stack, 1 route: clean\n" {
		t.Errorf("printed:\n%s", out)
	}
}

// TestTheREADMENamesEveryDependency holds the table against go.mod.
func TestTheREADMENamesEveryDependency(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	direct, _, _ := strings.Cut(string(mod), "\n)\n")
	for line := range strings.Lines(direct) {
		name := strings.Fields(line)
		if len(name) == 2 && strings.HasPrefix(line, "\t") && slices.Contains([]byte(name[1]), '.') && !strings.Contains(string(readme), "`"+name[0]+"`") {
			t.Errorf("the README does not say what %s is for", name[0])
		}
	}
}
