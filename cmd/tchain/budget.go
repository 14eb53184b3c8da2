package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/internal/aside"
)

// A budget is what is left of --timeout for one stack. Reading it, every rule and
// every trial of a fix draw on it.
type budget struct{ whole, left time.Duration }

func budgetOf(u *compile.Unit, timeout time.Duration) budget {
	return budget{timeout, timeout - u.Took}
}

// spend does work and gives up on it when nothing is left; ok is false then. The
// work is left behind as it is, and hears of it by its context: it may change
// nothing that goes on to be used. A panic in it is the caller's.
func (b *budget) spend(work func(context.Context)) (ok bool) {
	if b.left <= 0 {
		return false
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), b.left)
	defer cancel()
	done := make(chan any, 1)
	aside.Go(func() {
		defer func() { done <- recover() }()
		work(ctx)
	})
	select {
	case <-ctx.Done():
		b.left = 0
		return false
	case bad := <-done:
		if bad != nil {
			panic(bad)
		}
	}
	b.left -= time.Since(began)
	return ctx.Err() == nil
}

// late is a unit of which something, as its check, did not end in time: nothing is said
// of it, since what was found by then is only a part.
func (b *budget) late(u *compile.Unit, what string) *compile.Unit {
	at := chain.Range{File: u.Dir}
	switch {
	case u.Stack != nil && u.Stack.Pos.File != "":
		at = u.Stack.Pos
	case len(u.Files) > 0:
		at.File = slices.Min(u.Files)
	}
	text := fmt.Sprintf("the %s did not end within %s, and shows nothing of what it had found; raise --timeout", what, chain.Format(b.whole))
	errs := append(slices.Clone(u.Errors), compile.Error{Range: at, Message: text})
	return &compile.Unit{Dir: u.Dir, Files: u.Files, Source: u.Source, Errors: errs}
}
