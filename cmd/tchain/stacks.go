package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/format"
	"tchain.dev/tchain/internal/regular"
)

// A stacks reads the stacks that a command is given, with the flags that all
// such commands share.
type stacks struct {
	run     *run
	timeout time.Duration
	set     []string
	envFile string
}

const stacksFlags = `
Paths are directories, files, or DIR/... for a tree; without any it is the
current directory.`

func (s *stacks) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	addTimeout(f, &s.timeout)
	f.StringArrayVar(&s.set, "set", nil, "value of an @env(NAME), as NAME=VALUE; may be repeated")
	f.StringVar(&s.envFile, "env-file", "", "file with values for @env, one NAME=VALUE a line, also a pipe as <(command); --set goes first")
}

// addTimeout is the flag of how long a stack may take.
func addTimeout(f *pflag.FlagSet, timeout *time.Duration) {
	f.DurationVar(timeout, "timeout", 30*time.Second, "give up on a stack that takes longer: to read, to check, to try fixes")
}

// timed are the options of what has so long.
func timed(timeout time.Duration) (compile.Options, error) {
	opt := compile.Options{Timeout: timeout}
	if timeout <= 0 {
		return opt, usagef("--timeout %s is not a time that anything can end in", timeout)
	}
	return opt, nil
}

func (s *stacks) options() (compile.Options, error) {
	opt, err := timed(s.timeout)
	if err != nil {
		return opt, err
	}
	opt.Set, opt.Rules = map[string]string{}, ruleIDs()
	if s.envFile != "" {
		text, err := regular.ReadGiven(s.envFile)
		if err != nil {
			return opt, usagef("--env-file %s: %v", s.envFile, cause(err))
		}
		if err := readEnv(string(text), opt.Set); err != nil {
			return opt, usagef("--env-file %s:%v", s.envFile, err)
		}
	}
	given := map[string]string{}
	for _, pair := range s.set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return opt, usagef("--set %q is not NAME=VALUE", pair)
		}
		if was, ok := given[name]; ok && was != value {
			return opt, usagef("--set gives %s two values, %q and %q", name, was, value)
		}
		given[name], opt.Set[name] = value, value
	}
	return opt, nil
}

// each reads the stacks under paths in order. An error in the input raises the
// exit code; that no stack was found at all is bad usage, and so is a --set that
// fills in nothing.
func (s *stacks) each(paths []string, opt compile.Options, fn func(*compile.Unit)) (compile.Summary, error) {
	return s.eachWith(paths, opt, func(*compile.Unit) *examined { return nil }, func(u *compile.Unit, _ *examined) { fn(u) })
}

// eachJudged is each with what the rules find, which they do for several stacks
// at the same time.
func (s *stacks) eachJudged(paths []string, opt compile.Options, severity map[string]string, fn func(*compile.Unit, *examined)) (compile.Summary, error) {
	return s.eachWith(paths, opt, func(u *compile.Unit) *examined { return judged(u, severity, opt.Timeout) }, fn)
}

func (s *stacks) eachWith(paths []string, opt compile.Options, work func(*compile.Unit) *examined, fn func(*compile.Unit, *examined)) (compile.Summary, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := named(paths...); err != nil {
		return compile.Summary{}, err
	}
	var names []string
	var told toldErrors
	unread := false
	progress := s.run.newProgress()
	opt.Found = progress.total
	sum := compile.EachWith(paths, opt, work, func(u *compile.Unit, env []string, x *examined) {
		progress.clear()
		defer progress.next(u.Dir)
		if len(u.Errors) > 0 {
			s.run.raise(ExitUsage)
			unread = true
			told.once(u)
		}
		names = append(names, env...)
		fn(u, x)
	})
	progress.clear()
	if len(sum.Errors) > 0 {
		s.run.raise(ExitUsage)
	}
	if sum.Units == 0 && len(sum.Errors) == 0 && s.run.code == ExitClean {
		hint := `a stack is a CUE, YAML or JSON file that says tchain: "v1" and has routes`
		if len(sum.Skipped) > 0 {
			hint = fmt.Sprintf("%s: %s\n%s", sum.Skipped[0].Path, sum.Skipped[0].Reason, hint)
		}
		return sum, &usageError{"no stack in " + strings.Join(paths, ", "), hint}
	}
	if unread || len(sum.Errors) > 0 {
		return sum, nil // what was not read may have the name
	}
	return sum, s.unused(names)
}

// unused is the error for the first --set that no stack has a use for. A name of
// an --env-file may be meant for others.
func (s *stacks) unused(names []string) error {
	for _, pair := range s.set {
		name, _, _ := strings.Cut(pair, "=")
		if slices.Contains(names, name) {
			continue
		}
		text := fmt.Sprintf("--set %s fills in nothing: no stack says @env(%s)", name, name)
		if near := compile.Closest(name, names); near != "" {
			return usagef("%s; did you mean %s?", text, near)
		}
		return usagef("%s", text)
	}
	return nil
}

// all reads the stacks under paths for a command that writes something else
// than findings. What cannot be read is told on standard error; ok is false then.
func (s *stacks) all(paths []string) (units []*compile.Unit, ok bool, err error) {
	opt, err := s.options()
	if err != nil {
		return nil, false, err
	}
	var broken []*compile.Unit
	sum, err := s.each(paths, opt, func(u *compile.Unit) {
		if len(u.Errors) > 0 {
			broken = append(broken, u)
		} else if u.Stack != nil {
			units = append(units, u)
		}
	})
	if err != nil || len(broken) == 0 && len(sum.Errors) == 0 {
		return units, err == nil, err
	}
	return units, false, s.tell(broken, sum)
}

// tell prints the mistakes in the input in text form.
func (s *stacks) tell(broken []*compile.Unit, sum compile.Summary) error {
	text, _ := format.Named("text")
	out := text.New(s.run.Stderr, format.Options{})
	for _, u := range broken {
		if err := out.Stack(format.Result{Unit: u}); err != nil {
			return err
		}
	}
	return out.Close(compile.Summary{Units: sum.Units, Errors: sum.Errors})
}
