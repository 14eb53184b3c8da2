package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// stackOf is the resolved stack of a text.
func stackOf(t *testing.T, text string) *chain.Stack {
	t.Helper()
	s, err := compiled(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

type readStack struct {
	stack *chain.Stack
	err   error
}

// read are the stacks by their text. Reading one costs more than all rules on
// it, and the same texts are checked again for every condition of the rules.
var read = map[string]readStack{}

func compiled(text string) (*chain.Stack, error) {
	if r, ok := read[text]; ok {
		return r.stack, r.err
	}
	s, err := compileText(text)
	read[text] = readStack{s, err}
	return s, err
}

func compileText(text string) (out *chain.Stack, err error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "stack.cue")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return nil, err
	}
	sum := compile.Each([]string{file}, compile.Options{}, func(u *compile.Unit) {
		out = u.Stack
		for _, e := range u.Errors {
			err = errors.Join(err, errors.New(e.Message))
		}
	})
	for _, e := range sum.Errors {
		err = errors.Join(err, errors.New(e.Message))
	}
	if out == nil && err == nil {
		err = errors.New("no stack")
	}
	return out, err
}
