package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const ciStack = `package shop

tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "11s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	api: app: {
		server: gohttp: {}
		clients: price: gohttp: Timeout: "10s"
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "proxy", "api", "price"]
`

// ciStates are what a branch can be, with the exit code of a check of it.
var ciStates = []struct {
	name, stack string
	code        int
}{
	{"a branch that changes nothing in force", "// The way.\n\n" + ciStack, ExitClean},
	{"a branch that makes something worse", strings.Replace(ciStack, `"11s"`, `"9s"`, 1), ExitFindings},
	{"a branch that breaks the stack", strings.Replace(ciStack, "layers: {", "layers: {{", 1), ExitUsage},
}

// A runner is a machine of a CI with a clone of a repository on a branch.
type runner struct {
	t    *testing.T
	dir  string
	temp string
	env  []string
}

func newRunner(t *testing.T, stack string) *runner {
	t.Helper()
	for _, need := range []string{"git", "bash"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Fatal(need + " is not installed")
		}
	}
	r := &runner{t: t, dir: filepath.Join(t.TempDir(), "ein Repository"), temp: t.TempDir()}
	config := filepath.Join(r.temp, "gitconfig")
	replace(t, config, "[user]\n\tname = Somebody\n\temail = somebody@example.com\n[commit]\n\tgpgsign = false\n")
	r.env = append(bareEnv(), "GIT_CONFIG_GLOBAL="+config, "GIT_CONFIG_NOSYSTEM=1", "NO_COLOR=1")
	replace(t, filepath.Join(r.dir, "stacks", "shop", "stack.cue"), ciStack)
	r.must("git init -q -b main && git add -A && git commit -q -m first && git init -q --bare -b main \"$PWD.git\"")
	r.must(`git remote add origin "file://$PWD.git" && git push -q origin main && git fetch -q origin && git checkout -q -b feature`)
	replace(t, filepath.Join(r.dir, "stacks", "shop", "stack.cue"), stack)
	r.must("git commit -q --allow-empty -a -m change")
	return r
}

func (r *runner) must(script string) {
	r.t.Helper()
	if out, code := r.run("bash", script); code != 0 {
		r.t.Fatalf("%s: exit %d\n%s", script, code, out)
	}
}

// run runs a script in a shell as a CI does: it ends at the first failure.
func (r *runner) run(shell, script string, env ...string) (out string, code int) {
	r.t.Helper()
	args := []string{"-e", "-c", script}
	if shell == "bash" {
		args = []string{"--noprofile", "--norc", "-eo", "pipefail", "-c", script}
	}
	cmd := exec.Command(shell, args...)
	cmd.Dir, cmd.Env = r.dir, append(r.env[:len(r.env):len(r.env)], env...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(text), exit.ExitCode()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text), 0
}

func (r *runner) has(files ...string) {
	r.t.Helper()
	for _, f := range files {
		if info, err := os.Stat(filepath.Join(r.dir, f)); err != nil || info.Size() == 0 {
			r.t.Errorf("%s was not written", f)
		}
	}
}

// blocks are the examples of a page in one language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci", page))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no example in %s", page, language)
	}
	return out
}

func TestTheShellExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example of docs/ci")
	}
	for _, state := range ciStates {
		t.Run(state.name, func(t *testing.T) {
			r := newRunner(t, state.stack)
			for _, script := range blocks(t, "shell.md", "sh") {
				if strings.Contains(script, "baseline write") {
					t.Errorf("a job accepts what it finds:\n%s", script)
				}
				want := state.code
				if strings.Contains(script, "--baseline") {
					if out, code := r.run("sh", script); code != ExitUsage {
						t.Errorf("exit %d without the baseline, want %d\n%s", code, ExitUsage, out)
					}
					replace(t, filepath.Join(r.dir, baselineFile), "{\"schemaVersion\": 3, \"findings\": []}\n")
				}
				switch {
				case strings.Contains(script, "change.md") && want == ExitFindings:
					want = ExitClean // the example goes on
				case strings.Contains(script, "change.md") && want == ExitUsage:
					want = 1 // by test
				}
				if out, code := r.run("sh", script); code != want {
					t.Errorf("exit %d, want %d\n%s\n%s", code, want, script, out)
				}
				os.Remove(filepath.Join(r.dir, baselineFile))
			}
			r.has("tchain.md", "tchain.xml")
			if state.code != ExitUsage {
				r.has("change.md")
			}
		})
	}
}

func TestTheGitLabExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example of docs/ci")
	}
	type job struct {
		Before    []string `yaml:"before_script"`
		Script    []string
		Artifacts struct{ Reports map[string]string }
	}
	for _, state := range ciStates {
		t.Run(state.name, func(t *testing.T) {
			for _, text := range blocks(t, "gitlab.md", "yaml") {
				r := newRunner(t, state.stack)
				var jobs map[string]job
				if err := yaml.Unmarshal([]byte(text), &jobs); err != nil {
					t.Fatal(err)
				}
				j := jobs["tchain"]
				// What brings tchain needs the network; here it is there already.
				if !slices.Equal(j.Before, []string{"go install tchain.dev/tchain/cmd/tchain@latest"}) {
					t.Errorf("before_script is %q", j.Before)
				}
				replace(t, filepath.Join(r.dir, baselineFile), "{\"schemaVersion\": 3, \"findings\": []}\n")
				base, _ := r.run("sh", "git merge-base origin/main HEAD")
				out, code := r.run("bash", strings.Join(j.Script, "\n"), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+strings.TrimSpace(base))
				if code != state.code {
					t.Errorf("exit %d, want %d\n%s", code, state.code, out)
				}
				if len(j.Artifacts.Reports) == 0 {
					t.Error("nothing is reported")
				}
				for _, file := range j.Artifacts.Reports {
					r.has(file)
				}
				if _, code := r.run("bash", strings.Join(j.Script, "\n")); code != state.code {
					t.Errorf("exit %d in the default branch's pipeline, want %d", code, state.code)
				}
			}
		})
	}
}

func TestThePreCommitHook(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example of docs/ci")
	}
	var hooks []struct {
		ID, Entry, Language string
		Args                []string
		Pass                bool `yaml:"pass_filenames"`
		Always              bool `yaml:"always_run"`
	}
	unmarshal(t, "../../.pre-commit-hooks.yaml", &hooks)
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID   string
				Args []string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(blocks(t, "shell.md", "yaml")[0]), &config); err != nil {
		t.Fatal(err)
	}
	used, hook := config.Repos[0].Hooks[0], hooks[0]
	if used.ID != hook.ID || hook.Language != "golang" || hook.Pass || !hook.Always {
		t.Errorf("%+v, used as %+v", hook, used)
	}
	for _, state := range ciStates {
		r := newRunner(t, ciStack)
		replace(t, filepath.Join(r.dir, "stacks", "shop", "stack.cue"), state.stack)
		for _, args := range [][]string{hook.Args, used.Args} {
			// As in a commit: git names its index to the hook.
			if out, code := r.run("sh", "git add -A; GIT_INDEX_FILE=.git/index "+hook.Entry+" "+strings.Join(args, " ")); code != state.code {
				t.Errorf("%s: %v gives exit %d\n%s", state.name, args, code, out)
			}
		}
	}
}

func unmarshal(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// The policy of the page is one; its suppression covers nothing in a stack
// without a bank.
func TestThePolicyOfThePage(t *testing.T) {
	policy := blocks(t, "README.md", "cue")[0]
	t.Chdir(t.TempDir())
	replace(t, "tchain.cue", policy)
	replace(t, "shop/stack.cue", ciStack)
	out, code := runs(t, "check", "./...")
	for _, want := range []string{"tchain.cue:6:", "the suppression of ping matches no finding any more", "1 finding in the policy"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in exit %d:\n%s", want, code, out)
		}
	}
}
