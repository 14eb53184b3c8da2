package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A ciStep is a step of an action or of a workflow.
type ciStep struct {
	ID, Uses, Run, Shell, If string
	With, Env                map[string]string
	Dir                      string `yaml:"working-directory"`
}

type ciAction struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct{ Steps []ciStep }
}

var ciExpression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// expand replaces expressions that the tests know; another one fails them.
func expand(t *testing.T, text string, known map[string]string) string {
	t.Helper()
	return ciExpression.ReplaceAllStringFunc(text, func(x string) string {
		name := ciExpression.FindStringSubmatch(x)[1]
		value, ok := known[name]
		if !ok {
			t.Errorf("the tests do not know the expression %s", name)
		}
		return value
	})
}

// act runs the action of this repository and gives its outputs.
func (r *runner) act(with map[string]string) (outputs map[string]string, out string, code int) {
	r.t.Helper()
	var action ciAction
	unmarshal(r.t, "../../action.yml", &action)
	root, err := filepath.Abs("../..")
	if err != nil {
		r.t.Fatal(err)
	}
	known := map[string]string{"github.action_path": root, "runner.temp": r.temp}
	for name, in := range action.Inputs {
		known["inputs."+name] = in.Default
	}
	for name, value := range with {
		if _, ok := action.Inputs[name]; !ok {
			r.t.Errorf("the action has no input %s", name)
		}
		known["inputs."+name] = value
	}
	for _, step := range action.Runs.Steps {
		if step.Run == "" {
			continue
		}
		if strings.Contains(step.Run, "${{") {
			r.t.Error("an expression in a script takes what others write for code")
		}
		file := filepath.Join(r.temp, "output-"+step.ID)
		summary := filepath.Join(r.temp, "summary")
		env := []string{"GITHUB_OUTPUT=" + file, "GITHUB_STEP_SUMMARY=" + summary}
		for name, value := range step.Env {
			env = append(env, name+"="+expand(r.t, value, known))
		}
		script := step.Run
		if step.Dir != "" {
			env = append(env, "WORKING_DIRECTORY="+expand(r.t, step.Dir, known))
			script = `cd "$WORKING_DIRECTORY"` + "\n" + script
		}
		os.Remove(file)
		out, code = r.run(step.Shell, script, env...)
		text, _ := os.ReadFile(file)
		for _, line := range strings.Split(string(text), "\n") {
			if name, value, ok := strings.Cut(line, "="); ok {
				known["steps."+step.ID+".outputs."+name] = value
			}
		}
		if code != 0 {
			break
		}
	}
	outputs = map[string]string{}
	for name, o := range action.Outputs {
		value := ciExpression.FindStringSubmatch(o.Value)
		if value == nil || !strings.HasPrefix(value[1], "steps.") {
			r.t.Errorf("output %s is %s", name, o.Value)
			continue
		}
		outputs[name] = known[value[1]]
	}
	return outputs, out, code
}

func TestTheGitHubExample(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example of docs/ci")
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []ciStep }
	}
	texts := blocks(t, "github.md", "yaml")
	if err := yaml.Unmarshal([]byte(texts[0]), &workflow); err != nil {
		t.Fatal(err)
	}
	var filter []ciStep
	if err := yaml.Unmarshal([]byte(texts[1]), &filter); err != nil {
		t.Fatal(err)
	}
	for _, state := range ciStates {
		t.Run(state.name, func(t *testing.T) {
			r := newRunner(t, state.stack)
			// A gh that only keeps what it is given.
			replace(t, filepath.Join(r.temp, "bin", "gh"), "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$GH_LOG\"\n")
			if err := os.Chmod(filepath.Join(r.temp, "bin", "gh"), 0o755); err != nil {
				t.Fatal(err)
			}
			log := filepath.Join(r.temp, "gh.log")
			r.env = append(r.env, "GH_LOG="+log, "PATH="+filepath.Join(r.temp, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			known := map[string]string{
				"github.event_name == 'pull_request' && format('origin/{0}', github.base_ref) || ''": "origin/main",
				"vars.TCHAIN_REPOSITORY": "somebody/tchain", "vars.TCHAIN_REF": "v1",
				"github.token": "secret", "github.event.pull_request.number": "7",
			}
			var code int
			var out string
			for _, step := range workflow.Jobs["tchain"].Steps {
				with := map[string]string{}
				for name, value := range step.With {
					with[name] = expand(t, value, known)
				}
				switch {
				case step.Uses == "./.tchain":
					if _, err := os.Stat(filepath.Join(r.dir, ".tchain")); err != nil {
						t.Error("the action is used before it is there")
					}
					var outputs map[string]string
					outputs, out, code = r.act(with)
					for name, value := range outputs {
						known["steps."+step.ID+".outputs."+name] = value
					}
				case strings.HasPrefix(step.Uses, "actions/checkout@") && with["path"] != "":
					if with["repository"] != "somebody/tchain" || with["ref"] != "v1" {
						t.Errorf("the action is taken from %v", with)
					}
					// What it holds is none of the repository's stacks.
					replace(t, filepath.Join(r.dir, with["path"], "examples", "stack.cue"), strings.Replace(ciStack, `"11s"`, `"1s"`, 1))
				case strings.HasPrefix(step.Uses, "actions/checkout@"):
				case strings.HasPrefix(step.Uses, "github/codeql-action/upload-sarif@"):
					if _, err := os.Stat(with["sarif_file"]); err != nil {
						t.Error(err)
					}
				case step.Uses != "":
					t.Errorf("the tests do not know %s", step.Uses)
				default:
					r.step(step, known)
				}
			}
			if code != state.code || known["steps.tchain.outputs.exit-code"] != string(rune('0'+state.code)) {
				t.Errorf("exit %d, want %d\n%s", code, state.code, out)
			}
			if state.code != ExitClean && !strings.Contains(out, "::error file=stacks/shop/stack.cue,line=") {
				t.Errorf("no annotation in\n%s", out)
			}
			if text, _ := os.ReadFile(log); !strings.Contains(string(text), "--body-file\n"+known["steps.tchain.outputs.markdown"]+"\n") {
				t.Errorf("gh was given %q", text)
			}
			if text, _ := os.ReadFile(filepath.Join(r.temp, "summary")); !strings.HasPrefix(string(text), "### tchain: ") {
				t.Errorf("the summary is %q", text)
			}
			r.step(filter[0], known)
			if text, _ := os.ReadFile(known["steps.tchain.outputs.sarif"]); !strings.Contains(string(text), `"2.1.0"`) {
				t.Error("the filter leaves no SARIF")
			}
		})
	}
}

func (r *runner) step(step ciStep, known map[string]string) {
	r.t.Helper()
	var env []string
	for name, value := range step.Env {
		env = append(env, name+"="+expand(r.t, value, known))
	}
	if out, code := r.run("bash", step.Run, env...); code != 0 {
		r.t.Errorf("%s: exit %d\n%s", step.Run, code, out)
	}
}

// What the action is given may hold anything that a shell could read as its own.
func TestTheActionTakesInputsAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tchain")
	}
	r := newRunner(t, ciStack)
	nasty := "a b; touch pwned $(touch pwned) `touch pwned` 'x' \"y\" *"
	replace(t, filepath.Join(r.dir, nasty, "stack.cue"), strings.Replace(ciStack, `"11s"`, `"9s"`, 1))
	for _, tc := range []struct {
		name string
		with map[string]string
		code int
	}{
		{"a path of a shell's signs", map[string]string{"paths": nasty}, ExitFindings},
		{"two paths and an empty line", map[string]string{"paths": "stacks/shop\n\n" + nasty + "\n"}, ExitFindings},
		{"a path that looks like a flag", map[string]string{"paths": "--help"}, ExitUsage},
		{"a base of a shell's signs", map[string]string{"base": "main; touch pwned"}, ExitUsage},
		{"a base that looks like a flag", map[string]string{"base": "--help"}, ExitUsage},
		{"a baseline that is not there", map[string]string{"baseline": "$(touch pwned).json"}, ExitUsage},
		{"further arguments", map[string]string{"paths": nasty, "args": "--severity\nerror-room=off\n"}, ExitClean},
		{"a format over the action's own", map[string]string{"args": "--format=json"}, ExitFindings},
		{"a wrong argument", map[string]string{"args": "--nosuch"}, ExitUsage},
		{"no path at all is the whole repository", map[string]string{"paths": ""}, ExitFindings},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r.t = t
			outputs, out, code := r.act(tc.with)
			if code != tc.code || outputs["exit-code"] != string(rune('0'+tc.code)) {
				t.Errorf("exit %d, want %d; outputs %v\n%s", code, tc.code, outputs, out)
			}
			if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
				t.Error("an input was run")
			}
		})
	}
}
