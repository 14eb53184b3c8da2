package report

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

const never = Duration(chain.Never)

func TestTheSegmentsOfAWait(t *testing.T) {
	for _, tt := range []struct {
		name string
		wait Wait
		want []segment
	}{
		{"work, room and what is left", Wait{Limit: 30, until: 20, Room: 2}, []segment{{partWork, 0, 20}, {partRoom, 20, 22}, {partLeft, 22, 30}}},
		{"a limit inside the room cuts it off", Wait{Limit: 21, until: 20, Room: 2}, []segment{{partWork, 0, 20}, {partRoom, 20, 21}, {partLate, 21, 22}}},
		{"a limit inside the work leaves no room", Wait{Limit: 15, until: 20, Room: 2}, []segment{{partWork, 0, 15}, {partRoom, 20, 15}, {partLate, 15, 22}}},
		{"a callee that never ends takes all", Wait{Limit: 30, until: never}, []segment{{partWork, 0, 30}}},
		{"no limit is open-ended", Wait{Limit: never, until: 20}, []segment{{partWork, 0, never}}},
	} {
		want := slices.DeleteFunc(tt.want, func(s segment) bool { return s.from >= s.to })
		if got := tt.wait.segments(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}

func TestTheRoomOfAWait(t *testing.T) {
	rep := New()
	rep.Add(shop())
	hops := rep.Routes[0].Hops
	for _, tt := range []struct {
		name, limit, room, left string
		wait                    Wait
	}{
		{"the browser has no limit", "never", "0s", "", hops[0].Wait},
		{"the app's reserve is at its end: 26s of which the last is kept", "30s", "1s", "4s", hops[1].Wait},
		{"a service keeps no promise", "20s", "0s", "", hops[2].Wait},
	} {
		left := ""
		if tt.wait.Left != nil {
			left = tt.wait.Left.String()
		}
		if tt.wait.Limit.String() != tt.limit || tt.wait.Room.String() != tt.room || left != tt.left {
			t.Errorf("%s: %+v", tt.name, tt.wait)
		}
	}
}

func TestTicksAreRoundAndFew(t *testing.T) {
	for most, want := range map[Duration]string{
		1: "0s 1ns", 10: "0s 2ns 4ns 6ns 8ns 10ns",
		Duration(160 * second): "0s 50s 100s 150s", Duration(2 * second): "0s 500ms 1s 1.5s 2s",
	} {
		var got []string
		for _, d := range ticks(most) {
			got = append(got, d.String())
		}
		if strings.Join(got, " ") != want && most > 10 || len(got) < 2 || len(got) > 6 {
			t.Errorf("ticks up to %s: %v, want %s", most, got, want)
		}
	}
}

func faultNamed(t *testing.T, r *Route, kind, to string) *Fault {
	t.Helper()
	for i := range r.Faults {
		if f := &r.Faults[i]; f.Fault == kind && f.To == to {
			return f
		}
	}
	t.Fatalf("no %s at %s", kind, to)
	return nil
}

func TestVerdicts(t *testing.T) {
	rep := New()
	rep.Add(shop())
	r := &rep.Routes[0]
	if f := r.Main(); f == nil || f.Fault != "silent" || f.To != "bank" {
		t.Errorf("it is first shown under %v", f)
	}
	for _, tt := range []struct{ kind, to, want string }{
		{"silent", "bank", "api gives up first at 20s; the person sees 504 from api at 20s"},
		{"silent", "api", "proxy gives up first at 30s; the person sees 504 from proxy at 30s"},
		{"silent", "proxy", "nobody gives up; the person waits for ever"},
		{"stall", "api", "proxy gives up first at 30s; the person sees 200 from api, cut short at 30s"},
		{"unavailable", "api", "nobody has to give up; the person sees 503 from api at 0s"},
	} {
		if got := r.Verdict(faultNamed(t, r, tt.kind, tt.to)); got != tt.want {
			t.Errorf("%s at %s: %s; want %s", tt.kind, tt.to, got, tt.want)
		}
	}
}

func TestVerdictsOfOutcomesThatAreRare(t *testing.T) {
	r := &Route{Path: []string{"web", "proxy", "api"}, person: "the person"}
	by := func(layer string) *GiveUp { return &GiveUp{Layer: layer, At: Duration(4 * second)} }
	for _, tt := range []struct {
		name, want string
		fault      Fault
	}{
		{"a limit that only run time knows", "who gives up first is not known; Timeout is injected at run time and not given",
			Fault{sees: "not known: Timeout is injected at run time and not given", Outcome: Outcome{At: never, Error: chain.NotKnown}}},
		{"a patience that ends for nobody's good", "api gives up first at 4s; the person still waits for ever",
			Fault{GivesUp: by("api"), Outcome: Outcome{At: never}}},
		{"the person's own patience", "web gives up first at 4s; the person has no answer",
			Fault{GivesUp: by("web"), Outcome: Outcome{At: Duration(4 * second), Error: "gives up"}}},
		{"the person's own patience with what has begun", "web gives up first at 4s; the person has half an answer",
			Fault{GivesUp: by("web"), Outcome: Outcome{At: Duration(4 * second), Error: "gives up", Cut: true}}},
		{"an inner one, and the person's after it", "api gives up first at 4s; web gives up at 9s in the end",
			Fault{GivesUp: by("api"), sees: "web gives up at 9s", Outcome: Outcome{At: Duration(9 * second), Error: "gives up"}}},
	} {
		if got := r.Verdict(&tt.fault); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

func TestAnOutermostLayerThatIsNoPersonHasACaller(t *testing.T) {
	s := shop()
	s.Routes[0].Root = s.Routes[0].Root.Calls()[0].To
	s.Routes[0].Path = s.Routes[0].Path[1:]
	rep := New()
	rep.Add(s)
	r := &rep.Routes[0]
	if got := r.Verdict(r.Main()); !strings.Contains(got, "; the caller of proxy sees ") {
		t.Error(got)
	}
	if got := strings.Join(r.text(80), "\n"); !strings.Contains(got, "what the caller of proxy sees, from whom and when, if") {
		t.Error(got)
	}
}

func TestSpansAreTheWaitsOfATrace(t *testing.T) {
	rep := New()
	rep.Add(shop())
	r := &rep.Routes[0]
	for _, tt := range []struct {
		name, kind, to string
		want           []span
	}{
		{"all wait for a silent service, and its caller gives up", "silent", "bank", []span{
			{hop: 0, to: Duration(20 * second), end: endAnswered}, {hop: 1, to: Duration(20 * second), end: endAnswered}, {hop: 2, to: Duration(20 * second), end: endGaveUp}}},
		{"what nothing ends stays open", "silent", "proxy", []span{{hop: 0, to: never, open: true}}},
		{"a connect that nobody answers was waited for from the start", "blackhole", "bank", []span{
			{hop: 0, to: Duration(2 * second), end: endAnswered}, {hop: 1, to: Duration(2 * second), end: endAnswered}, {hop: 2, to: Duration(2 * second), end: endGaveUp}}},
		{"a refused call fails at once", "refused", "proxy", []span{{hop: 0, end: endFailed}}},
	} {
		if got := faultNamed(t, r, tt.kind, tt.to).spans; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestABarInATerminal(t *testing.T) {
	rep := New()
	rep.Add(shop())
	r := &rep.Routes[0]
	f := r.Main()
	for i, want := range []string{"███████████████████▶", "███████████████▒░░", "███████████✕"} {
		if got := string(r.bar(i, f, r.scale(f), 20)); got != want {
			t.Errorf("bar %d is %s, want %s", i, got, want)
		}
	}
}
