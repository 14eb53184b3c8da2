package chain

import (
	"strings"
	"testing"
	"time"
)

// injected is a limit whose value is given at run time only.
func injected(k Kind, fires Fires) Limit {
	l := limit(k, Never, fires)
	l.Why = WhyInjected
	return l
}

func TestWhatATimerOfUnknownValueLeavesOpen(t *testing.T) {
	for _, row := range []struct {
		says    string
		own     Limit // of the edge's call to the app
		answers Limit // of the edge's answering side
		person  time.Duration
		fault   FaultKind
		want    string
	}{
		{"it may have ended the silence before", injected(ResponseHeader, "504"), Limit{}, 9 * time.Second, Silent, "web gives up at 9s, unless response-header, which is injected at run time, ends it before"},
		{"nobody knows whether the silence ends", injected(ResponseHeader, "504"), Limit{}, Never, Silent, "not known: response-header is injected at run time and not given"},
		{"one that does not run under the fault changes nothing", injected(Connect, "504"), Limit{}, Never, Silent, "never ends"},
		{"one that only tells the program changes nothing", injected(ResponseHeader, FiresEvent), Limit{}, Never, Silent, "never ends"},
		{"what fails at once was ended by no timer", injected(ResponseHeader, "504"), Limit{}, Never, Refused, "edge's own error at 0s"},
		{"one of the answering side may have ended it as well", limit(PoolWait, Never, FiresError), injected(HandlerDeadline, "503"), 9 * time.Second, Silent, "web gives up at 9s, unless handler-deadline, which is injected at run time, ends it before"},
	} {
		t.Run(row.says, func(t *testing.T) {
			call := httpClient(1)
			call.Layers, call.TLS, call.Pool, call.To = transportOf(row.own), false, nil, &Node{Layer: "app", Role: RoleLeaf}
			edge := &Node{Layer: "edge", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{call}}}}
			if row.answers.Kind != "" {
				edge.Serve = []Limit{row.answers}
			}
			r := way("GET", web(row.person), hop{edge, nil})
			if got := playAt(t, r, row.fault, "edge").Outcome.Text(); !strings.Contains(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestATotalOfUnknownValueIsNotKnownAndNotNever(t *testing.T) {
	call := httpClient(1)
	call.Layers, call.TLS, call.To = transportOf(), false, &Node{Layer: "app", Role: RoleLeaf}
	call.Layers = append([]ClientLayer{{Name: "around", Limits: []Limit{injected(TotalDeadline, FiresError)}}}, call.Layers...)
	edge := &Node{Layer: "edge", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{call}}}}
	got := Worst(way("GET", web(Never), hop{edge, nil}), edge)
	if got.Total == Never || !strings.Contains(strings.Join(got.NotChecked, "\n"), "is injected at run time and not given") || got.Unknown == "" {
		t.Errorf("got %s, not checked %q, unknown %q", Format(got.Total), got.NotChecked, got.Unknown)
	}
}
