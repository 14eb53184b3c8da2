package format

import (
	"cmp"
	"fmt"
	"strings"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// A tally counts what a run came to, for its last line.
type tally struct {
	stacks, routes, unread int
	withFindings, hidden   int
	known, suppressed      int
	by                     [check.Error + 1]int
	failOn                 check.Severity
	others                 []string // what was found beside the stacks
	abridged               bool     // some finding names only the first of its routes
}

func (t *tally) add(r Result) {
	if r.gone() {
		return
	}
	if r.Of != "" {
		t.others = append(t.others, count(len(r.Findings), "finding")+" in "+r.Of)
		return
	}
	t.stacks++
	t.hidden += r.Hidden
	t.known += r.Known
	t.suppressed += len(r.Suppressed) - r.Known
	if r.Unit.Stack != nil {
		t.routes += len(r.Unit.Stack.Routes)
	}
	if len(r.Unit.Errors) > 0 {
		t.unread++
	}
	found := false
	for _, f := range r.Findings {
		t.by[f.Severity]++
		t.abridged = t.abridged || len(f.Routes) > fewRoutes+1
		found = found || f.Severity >= min(check.Warning, t.fails())
	}
	if found {
		t.withFindings++
	}
}

// fails is the lowest severity that fails; warnings unless it is said otherwise.
func (t *tally) fails() check.Severity { return cmp.Or(t.failOn, check.Warning) }

// text is the last line: "4 errors, 1 warning in 1 stack".
func (t *tally) text(s compile.Summary) string {
	switch {
	case t.stacks == 0 && len(s.Errors) > 0:
		return "nothing was checked" + t.remarks(s)
	case t.stacks == 0:
		return "no stack found"
	}
	var parts []string
	if n := t.by[check.Error]; n > 0 {
		parts = append(parts, count(n, "error"))
	}
	if n := t.by[check.Warning]; n > 0 {
		parts = append(parts, count(n, "warning"))
	}
	if n := t.by[check.Info]; n > 0 && t.fails() == check.Info {
		parts = append(parts, count(n, "info"))
	}
	var text string
	switch {
	case len(parts) > 0 && t.withFindings < t.stacks:
		text = fmt.Sprintf("%s in %d of %s", strings.Join(parts, ", "), t.withFindings, count(t.stacks, "stack"))
	case len(parts) > 0:
		text = strings.Join(parts, ", ") + " in " + count(t.stacks, "stack")
	case t.unread == 0 && len(t.others)+len(s.Errors) > 0:
		text = "no findings in " + count(t.stacks, "stack")
	case t.unread == 0 && t.known > 0:
		text = count(t.stacks, "stack") + ", " + count(t.routes, "route") + ": nothing new"
	case t.unread == 0:
		text = count(t.stacks, "stack") + ", " + count(t.routes, "route") + ": clean"
	case t.unread < t.stacks:
		text = "no findings in " + count(t.stacks-t.unread, "stack")
	}
	if t.unread > 0 {
		if text != "" {
			text += "; "
		}
		text += count(t.unread, "stack") + " could not be read"
	}
	if n := len(s.Errors); n > 0 && len(parts) == 0 && t.unread == 0 {
		text += "; " + count(n, "mistake") + " outside of the stacks"
	}
	for _, o := range t.others {
		text += "; " + o
	}
	return text + t.remarks(s)
}

// remarks are what a reader might miss otherwise.
func (t *tally) remarks(s compile.Summary) string {
	var out string
	var parts []string
	if n := t.by[check.Info]; n > 0 && t.fails() > check.Info {
		out = ", " + count(n, "info")
	}
	if t.hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden, --info shows them", t.hidden))
	}
	if t.suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", t.suppressed))
	}
	if t.abridged {
		parts = append(parts, "--format json names all routes")
	}
	if t.known > 0 {
		parts = append(parts, fmt.Sprintf("%d known", t.known))
	}
	if skipped := t.skipped(s); skipped != "" {
		parts = append(parts, skipped+" skipped, --not-checked lists them")
	}
	if n := len(s.Bases); n == 1 {
		parts = append(parts, "1 directory is only a base")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d directories are only bases", n))
	}
	if len(parts) > 0 {
		out += " (" + strings.Join(parts, "; ") + ")"
	}
	return out
}

// skipped counts what a reader may take for checked; "" is nothing.
func (t *tally) skipped(s compile.Summary) string {
	files, dirs := 0, 0
	for _, x := range s.Skipped {
		switch {
		case x.Dir:
			dirs++
		case strings.HasSuffix(x.Path, ".cue") && t.stacks > 0: // of other kinds a repository has any number
			files++
		}
	}
	var parts []string
	if files > 0 {
		parts = append(parts, count(files, "CUE file"))
	}
	if dirs == 1 {
		parts = append(parts, "1 directory")
	} else if dirs > 1 {
		parts = append(parts, fmt.Sprintf("%d directories", dirs))
	}
	return strings.Join(parts, ", ")
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
