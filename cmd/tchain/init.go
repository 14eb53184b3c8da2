package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"cuelang.org/go/cue/format"
	"github.com/spf13/cobra"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/draft"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/internal/regular"
)

const initLong = `Init writes a first stack for a chain of layers, and the schema beside it: few
values, each with its reason, which fit each other, so that check finds nothing. It
asks nothing and overwrites nothing.

A chain names the types of its layers from the caller inward; tchain settings lists
them. NAME=TYPE gives a layer a name of yours, and app:SERVER/CLIENT says what a
program is made of. Where no such values exist, because two platforms fix theirs the
wrong way round, nothing is written and the exit code is 2.`

const initExample = `  tchain init
  tchain init stacks/pay --chain browser,cloudfront,alb,api=app:tomcat/httpclient5,bank=external
  tchain init jobs --chain app:node/undici,haproxy,external`

// stackName is the file of a new stack.
const stackName = "stack.cue"

const usualChain = "browser,alb,nginx,app,external"

func newInit(r *run) *cobra.Command {
	var links string
	cmd := &cobra.Command{
		Use: "init [dir]", Short: "write a first stack for a chain of layers", Long: initLong, Example: initExample,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := directory(args)
			if err != nil {
				return err
			}
			return r.initStack(dir, links)
		},
	}
	cmd.Flags().StringVar(&links, "chain", usualChain, "types of the layers, from the caller inward")
	return cmd
}

func (r *run) initStack(dir, links string) error {
	layers, err := parseChain(links)
	if err != nil {
		return err
	}
	if err := noCUE(dir); err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	c := draft.Chain{Package: packageName(filepath.Base(abs)), Name: filepath.Base(abs), Layers: layers}
	text, err := draftStack(c, filepath.Join(dir, stackName))
	if err != nil {
		return fmt.Errorf("no stack of the chain %s is clean: %w", links, err)
	}
	v, err := newVendoring(dir, c.Package)
	if err != nil {
		return err
	}
	v.files = append(v.files, emit.File{Name: path.Join(v.rel, stackName), Content: text})
	if err := v.asNew(); err != nil {
		return err
	}
	if err := emit.WriteDir(v.root, v.files); err != nil {
		return err
	}
	at := shellWord(filepath.ToSlash(filepath.Clean(dir)))
	_, err = fmt.Fprintf(r.out, "wrote %s, and the schema that cue vet and editors check it with\nnext:\n  tchain check %s\n  tchain report %s\n",
		filepath.ToSlash(filepath.Join(dir, stackName)), at, at)
	return err
}

// noCUE refuses a directory that already has CUE files: a new one would become
// a part of their package, or make a second package beside it.
func noCUE(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return usagef("%s is not a directory", dir)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.cue"))
	if err != nil || len(names) == 0 {
		return err
	}
	return fmt.Errorf("%s is there already; init begins in a directory without CUE files", filepath.ToSlash(names[0]))
}

// draftStack is the text of a stack that is clean as the file that it becomes.
func draftStack(c draft.Chain, file string) ([]byte, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	read := func(text string) (s *chain.Stack, err error) {
		opt := compile.Options{Workers: 1, Overlay: map[string][]byte{abs: []byte(text)}}
		sum := compile.Each([]string{file}, opt, func(u *compile.Unit) {
			if s = u.Stack; len(u.Errors) > 0 {
				err = errors.New(u.Errors[0].Message)
			}
		})
		if len(sum.Errors) > 0 {
			err = errors.New(sum.Errors[0].Message)
		}
		return s, err
	}
	text, err := draft.Stack(c, read)
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(text))
}

// packageName makes a CUE identifier of a directory's name.
func packageName(dir string) string {
	name := regexp.MustCompile(`[^A-Za-z0-9_]+`).ReplaceAllString(dir, "_")
	switch name = strings.Trim(name, "_"); {
	case name == "":
		return "stack"
	case name[0] >= '0' && name[0] <= '9':
		return "stack_" + name
	}
	return name
}

// shellWord is a path as one writes it in a shell.
func shellWord(p string) string {
	if regexp.MustCompile(`^[\w./+,@:-]+$`).MatchString(p) {
		return p
	}
	return "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
}

// asNew refuses to change a file that is there. The same schema is no change.
func (v *vendoring) asNew() error {
	for _, f := range v.files {
		name := filepath.Join(v.root, filepath.FromSlash(f.Name))
		have, err := regular.Read(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		case strings.HasPrefix(f.Name, vendorDir+"/") && !bytes.Equal(have, f.Content):
			return fmt.Errorf("%s is of another tchain; run tchain schema vendor for a stack that is there first", filepath.ToSlash(filepath.Join(v.root, vendorDir)))
		case !bytes.Equal(have, f.Content):
			return fmt.Errorf("%s is there already", filepath.ToSlash(name))
		}
	}
	return nil
}
