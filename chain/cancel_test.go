package chain

import (
	"testing"
	"time"
)

func TestATimerThatAsksTheCalleeToCancelEndsNoSilence(t *testing.T) {
	call := httpClient(1)
	call.Layers = transportOf(limit(AttemptDeadline, 3*time.Second, FiresCancel))
	call.TLS, call.Pool, call.To = false, nil, &Node{Layer: "db", Role: RoleLeaf, Work: Work{P99: value("p99", 5*time.Second)}}
	app := &Node{Layer: "app", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{call}}}}
	r := way("GET", web(Never), hop{app, nil})
	for kind, want := range map[FaultKind]time.Duration{
		Silent: Never,
		Slow:   3 * time.Second, // it is at work, and answers with an error
	} {
		if got := playAt(t, r, kind, "app").Outcome.At; got != want {
			t.Errorf("%s: ended at %s, want %s", kind, Format(got), Format(want))
		}
	}
	if got := Worst(r, app).Total; got != Never {
		t.Errorf("the worst case ends at %s", Format(got))
	}
}
