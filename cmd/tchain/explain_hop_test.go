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

func TestARetryThatAsksForTheMethodFirstHoldsForNoOther(t *testing.T) {
	retry := &chain.Retry{Attempts: chain.Size{N: 3}, On: []chain.Cond{chain.CondRefused}, OnMethods: []string{"GET"}, AsksFirst: true, Origin: chain.Origin{Setting: "filter"}}
	if text := retryText("attempts", &chain.Call{}, retry); !strings.HasSuffix(text, "filter: after refused; only GET\n") {
		t.Error(text)
	}
}

func TestAWaitWithJitterIsSaidToBeItsLongest(t *testing.T) {
	for jitter, want := range map[bool]string{false: "after reset, the first wait 1s\n", true: "after reset, the first wait 1s (the longest that jitter can draw)\n"} {
		retry := &chain.Retry{Attempts: chain.Size{N: 3}, On: []chain.Cond{chain.CondReset}, Interval: chain.Value{D: time.Second, Origin: chain.Origin{Setting: "wait"}}, Jitter: jitter, Origin: chain.Origin{Setting: "filter"}}
		text := hopText(&chain.Node{Layer: "api"}, &chain.Call{To: &chain.Node{Layer: "pay"}, Layers: []chain.ClientLayer{{Retry: retry}}})
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
}

func TestACallSaysWhatItsAppsDeadlineLeaves(t *testing.T) {
	value := func(d time.Duration, name string) chain.Value {
		return chain.Value{D: d, Origin: chain.Origin{Source: chain.Written, Setting: name, Name: name}}
	}
	total, each, reserve := value(10*time.Second, "total"), value(6*time.Second, "perCall"), value(time.Second, "reserve")
	for want, d := range map[string]chain.Deadline{
		"": {Reserve: reserve, Enforced: true},
		"6s  total-deadline       perCall, written; for the whole call\n":                                                                {PerCall: each, Total: total, Reserve: reserve, Enforced: true},
		"9s  total-deadline       total, written; for the whole call, 10s less the reserve of 1s\n":                                      {Total: total, Reserve: reserve, Enforced: true},
		"10s  total-deadline       total, written; for the whole call; not enforced: no blocked read is ended; sent on in X-Time-Left\n": {Total: total, Header: "X-Time-Left"},
	} {
		if got := strings.TrimLeft(deadlineText(&chain.Node{Layer: "api", Deadline: d}), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestALoopSaysInWhatTimeAnAttemptMustBeConnected(t *testing.T) {
	said := func(name string) chain.Origin { return chain.Origin{Source: chain.Written, Setting: name, Name: name} }
	retry := &chain.Retry{
		Attempts: chain.Size{N: 3}, On: []chain.Cond{chain.CondReset}, ConnectShare: chain.Size{N: 25, Origin: said("connectShare")},
		Least: chain.Value{D: time.Second, Origin: said("least")}, Window: chain.Value{D: 9 * time.Second, Origin: said("window")},
	}
	call := &chain.Call{To: &chain.Node{Layer: "pay"}, Layers: []chain.ClientLayer{{Name: "loop", Retry: retry}, {}}}
	budget := chain.Deadline{PerCall: chain.Value{D: 6 * time.Second, Origin: said("perCall")}, Enforced: true}
	for want, d := range map[string]chain.Deadline{
		"  1.5s  connect-share        connectShare, written; 25 % of what is left, so much for the first attempt\n": budget,
		" never  connect-share        connectShare, written; nothing bounds the time that it is a share of\n":       {},
	} {
		text := hopText(&chain.Node{Layer: "api", Deadline: d}, call)
		for _, x := range []string{want, "  1s  retry-least          least, written; no further attempt begins with less left\n", "  9s  retry-window         window, written; no attempt begins after it, and none is interrupted\n"} {
			if !strings.Contains(text, x) {
				t.Errorf("%s\nlacks %q", text, x)
			}
		}
	}
}

func TestACallSaysWhatItsCalleeItselfEnds(t *testing.T) {
	to := &chain.Node{Layer: "pay", Serve: []chain.Limit{
		{Kind: chain.IdleKeepalive, Bound: time.Minute, Origin: chain.Origin{Source: chain.Default, Setting: "pay.keepAlive"}},
		{Kind: chain.WriteTotal, Bound: chain.Never, Why: "not set", Origin: chain.Origin{Source: chain.Default, Setting: "pay.write"}},
	}}
	text := hopText(&chain.Node{Layer: "api"}, &chain.Call{To: to, Layers: []chain.ClientLayer{{}}})
	if !strings.HasSuffix(text, "\n  of pay itself, which answers:\n       60s  idle-keepalive       pay.keepAlive, default\n") {
		t.Error(text)
	}
}
