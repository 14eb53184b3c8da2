package compile

import (
	"io/fs"
	"time"

	"tchain.dev/tchain/chain"
)

// Options are what a run is given. The zero value works.
type Options struct {
	// Timeout ends the evaluation of one stack; 0 is 30 s.
	Timeout time.Duration
	// MaxBytes is the size of one stack's own files beyond which it is refused; 0 is 16 MiB.
	MaxBytes int64
	// Set fills in values that are injected at run time, by the name in @env.
	Set map[string]string
	// Rules are the ids of the rules, which a policy may name; nil takes any.
	Rules []string
	// Overlay replaces the content of files, by absolute path; it is how a fix
	// is tried before it is offered.
	Overlay map[string][]byte
	// Schema is the language and the catalogue; nil is the built-in one.
	Schema fs.FS
	// Found is told how many stacks there are before the first is read; nil is nobody.
	Found func(stacks int)
	// Workers is how many stacks are read at the same time; 0 is one per core.
	Workers int
}

// A Unit is one stack that was found, with what came of it: a resolved stack,
// or errors, or both where only some routes could be read.
type Unit struct {
	Dir    string   // as given or found, with forward slashes
	Files  []string // its own files, not those that it imports
	Stack  *chain.Stack
	Errors []Error
	// Source is the content of every file that a range of the stack points
	// into, by the name in the range.
	Source map[string][]byte
	// Took is how long it took to read and resolve the stack.
	Took time.Duration

	target target // see Again
}

// An Error is a mistake in the input, at the user's own position.
type Error struct {
	Range   chain.Range // File may be a directory, Line may be 0 where there is none
	Message string      // lower case, subject first, no final stop
}

// A Skip is a file or directory that was seen and is not a stack.
type Skip struct {
	Path, Reason string
	// Dir says that it is a directory, of which nothing at all was seen.
	Dir bool
}

// A Policy is the policy of a repository.
type Policy struct {
	chain.Policy
	File   string
	Source []byte
}

// A Summary is what a run saw besides the units it handed out.
type Summary struct {
	Units   int
	Skipped []Skip
	// Bases are directories that only serve as the base of child packages.
	Bases []string
	// Errors are what concerns no single stack: a path that does not exist, a
	// mistake in the repository's policy.
	Errors []Error
	// Policies are the files of repositories' policies that stacks are under.
	Policies []Policy

	unread []unread
}
