package chain

import (
	"math"
	"testing"
	"time"
)

// repeating is an app whose calls fail in one way after 2 s and are repeated.
func repeating(change func(*Retry, *Node)) *Route {
	r := &Retry{Attempts: size("attempts", 40), On: []Cond{CondTimeout}, Interval: value("wait", time.Second)}
	app := &Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{{
		To: &Node{Layer: "ext", Role: RoleLeaf}, Addresses: 1,
		Layers: []ClientLayer{{Retry: r, Limits: []Limit{limit(ResponseFirstByte, 2*time.Second, FiresError)}}},
	}}}}}
	change(r, app)
	return &Route{Method: "GET", Root: app}
}

// repeats are policies in which each rule about a further attempt decides.
var repeats = map[string]func(*Retry, *Node){
	"all attempts are made":                func(*Retry, *Node) {},
	"nothing waits":                        func(r *Retry, _ *Node) { r.Interval = Value{} },
	"the wait grows up to a longest":       func(r *Retry, _ *Node) { r.Multiplier, r.MaxInterval = 2000, 20*time.Second },
	"the wait grows without end":           func(r *Retry, _ *Node) { r.Multiplier, r.Attempts.N = 1100, 30 },
	"the first repeat comes at once":       func(r *Retry, _ *Node) { r.Multiplier, r.MaxInterval, r.FirstAtOnce = 2000, 20*time.Second, true },
	"it waits after other failures only":   func(r *Retry, _ *Node) { r.WaitOn = []Cond{CondRefused} },
	"a window ends between two attempts":   func(r *Retry, _ *Node) { r.Window = value("window", 50*time.Second) },
	"a window ends when an attempt does":   func(r *Retry, _ *Node) { r.Window = value("window", 59*time.Second) },
	"a deadline ends an attempt":           func(_ *Retry, n *Node) { n.Deadline = Deadline{Total: value("total", 49*time.Second), Enforced: true} },
	"a deadline ends when an attempt does": func(_ *Retry, n *Node) { n.Deadline = Deadline{Total: value("total", 50*time.Second), Enforced: true} },
	"a deadline ends a wait": func(_ *Retry, n *Node) {
		n.Deadline = Deadline{Total: value("total", 48500*time.Millisecond), Enforced: true}
	},
	"too little is left for another attempt": func(r *Retry, n *Node) {
		n.Deadline, r.Least = Deadline{Total: value("total", 50*time.Second), Enforced: true}, value("least", 5*time.Second)
	},
	"just enough is left for one": func(r *Retry, n *Node) {
		n.Deadline, r.Least = Deadline{Total: value("total", 50*time.Second), Enforced: true}, value("least", 2*time.Second)
	},
}

func TestAttemptsThatAreAddedUpEndAsThoseThatArePlayed(t *testing.T) {
	for says, change := range repeats {
		t.Run(says, func(t *testing.T) {
			r := repeating(change)
			f := Fault{Kind: Silent, Call: r.Root.Calls()[0], From: r.Root}
			want := (&player{}).play(r, f)
			for _, told := range []int{1, 2, 7} {
				got := (&player{tells: told}).play(r, f)
				if got.Outcome != want.Outcome {
					t.Errorf("after %d attempts that are played the end is %s, want %s", told, got.Outcome.Text(), want.Outcome.Text())
				}
				if a, b := got.Events[len(got.Events)-2:], want.Events[len(want.Events)-2:]; a[0].At != b[0].At && a[0].Kind == b[0].Kind || a[1].At != b[1].At || a[1].Kind != b[1].Kind {
					t.Errorf("after %d attempts that are played the last events are %v, want %v", told, a, b)
				}
				if n := len(got.Events); n > 3*told+6 {
					t.Errorf("%d events are told after %d attempts", n, told)
				}
			}
		})
	}
}

// A number of attempts costs nothing: the largest is played, and its worst case
// worked out, in what a thousand take. This ends at once or not in a lifetime.
func TestTheWorkDoesNotGrowWithTheNumberOfAttempts(t *testing.T) {
	for says, change := range repeats {
		t.Run(says, func(t *testing.T) {
			r := repeating(change)
			retry := r.Root.Calls()[0].Layers[0].Retry
			for _, n := range []int{math.MaxInt32, Endless - 1, Endless} {
				retry.Attempts.N = n
				Worst(r, r.Root)
				PlayAll(r)
			}
		})
	}
}

func TestAnEndlessRetryNeverEnds(t *testing.T) {
	r := repeating(func(r *Retry, _ *Node) {
		r.Attempts.N, r.On, r.Interval = Endless, []Cond{CondRefused, CondTimeout}, Value{}
	})
	if w := Worst(r, r.Root).Total; w != Never {
		t.Errorf("its worst case is %s", Format(w))
	}
	for _, kind := range []FaultKind{Refused, Silent} {
		if o := Play(r, Fault{Kind: kind, Call: r.Root.Calls()[0], From: r.Root}).Outcome; o.At != Never {
			t.Errorf("%s ends at %s", kind, Format(o.At))
		}
	}
}

func TestAWaitThatGrowsSlowlyIsToldInFewTerms(t *testing.T) {
	r := &Retry{Interval: value("wait", time.Millisecond), Multiplier: 1001}
	longest, all := backoffs(r, 5000)
	if n := len(all.Terms); n > mostTerms+1 {
		t.Errorf("%d terms", n)
	}
	var sum time.Duration
	for n := 2; n <= 5000; n++ {
		sum = Add(sum, r.Backoff(n))
	}
	if all.Total != sum || all.Total != r.Backoffs(5000) || longest.Total != r.Backoff(5000) {
		t.Errorf("all are %s and the longest is %s, want %s and %s", Format(all.Total), Format(longest.Total), Format(sum), Format(r.Backoff(5000)))
	}
}
