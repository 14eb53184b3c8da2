package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A run of 300 stacks that take 10 ms each says how far it is from the first
// second on, ten times a second, and leaves nothing behind.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{w: &out, now: func() time.Time { return now }, started: now}
	p.total(300)
	for i := range 300 {
		now = now.Add(10 * time.Millisecond)
		p.clear()
		p.next(fmt.Sprintf("a/%s/%d", strings.Repeat("x", 50), i))
	}
	p.clear()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if n := strings.Count(out.String(), " of 300 stacks"); n != 20 {
		t.Errorf("%d lines", n)
	}
	if first := lines[1]; first != "100 of 300 stacks  …"+strings.Repeat("x", 36)+"/99" {
		t.Errorf("the first is %q", first)
	}
	if last := lines[len(lines)-1]; last != "" {
		t.Errorf("%q is left", last)
	}
}

func TestAShortRunSaysNothingOfItsProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, now: time.Now, started: time.Now()}
	p.total(2)
	p.next("a")
	p.clear()
	p.next("b")
	p.clear()
	var none *progress
	none.total(1)
	none.next("a")
	none.clear()
	if out.Len() > 0 {
		t.Errorf("it says %q", out.String())
	}
}
