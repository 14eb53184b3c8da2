package main

import (
	"fmt"
	"io"
	"time"
)

const (
	// progressAfter is how long a run lasts before it says how far it is.
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// A progress is one line on a terminal that says how far a long run is. It is
// gone before anything else is printed. A nil progress says nothing.
type progress struct {
	w             io.Writer
	now           func() time.Time
	started, last time.Time
	done, of      int
	shown         bool
}

// newProgress is nil where standard error is no terminal that lines can be
// cleared on.
func (r *run) newProgress() *progress {
	if asTerminal(r.Stderr) == nil || !canClear() {
		return nil
	}
	return &progress{w: r.Stderr, now: time.Now, started: time.Now()}
}

// total is called when it is known how many there are.
func (p *progress) total(n int) {
	if p != nil {
		p.of = n
		p.show("")
	}
}

// next says that one more is done.
func (p *progress) next(what string) {
	if p != nil {
		p.done++
		p.show(what)
	}
}

func (p *progress) show(what string) {
	now := p.now()
	if p.done >= p.of || now.Sub(p.started) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	if rs := []rune(what); len(rs) > 40 { // one line of any terminal
		what = "…" + string(rs[len(rs)-39:])
	}
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d stacks  %s", p.done, p.of, what)
}

// clear takes the line away.
func (p *progress) clear() {
	if p != nil && p.shown {
		p.shown = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}
