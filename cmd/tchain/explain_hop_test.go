package main

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func TestATimerSaysAllThatItCanBe(t *testing.T) {
	of := func(d time.Duration) chain.Settled { return chain.Settled{Value: d} }
	left := func(d time.Duration, when string) chain.Else { return chain.Else{Settled: of(d), When: when} }
	for want, d := range map[string]chain.Derivation{
		"5s":                                    {Settled: of(5 * time.Second)},
		"no limit":                              {Settled: of(chain.Never)},
		"never":                                 {Settled: of(chain.Never), Off: true},
		"not known (" + chain.WhyInjected + ")": {Settled: chain.Settled{Value: chain.Never, Unknown: true}},
		"5s, or 300ms after GET /balance":       {Settled: of(5 * time.Second), Else: []chain.Else{left(300*time.Millisecond, "after GET /balance")}},
		"5s, or 1s after /a, or no limit where /b opened it, or 3s after /c": {Settled: of(5 * time.Second), Else: []chain.Else{
			left(time.Second, "after /a"), left(chain.Never, "where /b opened it"), left(3*time.Second, "after /c"),
		}},
		"5s, or 1s after /a, or 2s after /b, or one of 2 others": {Settled: of(5 * time.Second), Else: []chain.Else{
			left(time.Second, "after /a"), left(2*time.Second, "after /b"), left(3*time.Second, "after /c"), left(4*time.Second, "after /d"),
		}},
	} {
		d.Timer = "read"
		text := derivationText(d)
		if first, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); first != "read: "+want {
			t.Errorf("%q, want %q", first, want)
		}
		for _, e := range d.Else {
			if !strings.Contains(text, "\n    or "+settledText(e.Settled)+" from ") || !strings.Contains(text, ", "+e.When+"\n") {
				t.Errorf("%q does not list %q", text, e.When)
			}
		}
	}
}

func TestATotalInsideOfARetryIsForEachAttempt(t *testing.T) {
	total := func(name string) []chain.Limit {
		return []chain.Limit{{Kind: chain.TotalDeadline, Bound: time.Second, Origin: chain.Origin{Setting: name, Source: chain.Written}}}
	}
	retry := &chain.Retry{Attempts: chain.Size{N: 3}, On: []chain.Cond{"503", chain.CondReset}, OnMethods: []string{"GET"}, AnyMethod: []chain.Cond{"503"}, Origin: chain.Origin{Setting: "filter"}}
	text := hopText(&chain.Node{Layer: "api"}, &chain.Call{
		To:     &chain.Node{Layer: "pay"},
		Layers: []chain.ClientLayer{{Limits: total("outer")}, {Limits: total("beside"), Retry: retry}, {Limits: total("inner")}},
	})
	for _, want := range []string{"outer, written\n", "beside, written\n", "inner, written; for each attempt\n", "3  attempts             filter: after 503 or reset; once it was written, only GET, and any after 503\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
}
