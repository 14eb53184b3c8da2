package chain

import (
	"strings"
	"testing"
	"time"
)

func linesOf(tr *Trace) string {
	var b strings.Builder
	for _, l := range tr.Lines() {
		b.WriteString(Format(l.At) + " " + l.Who + ": " + l.What + "\n")
	}
	return b.String()
}

func TestLinesMergeTheWayInAndTheWayOut(t *testing.T) {
	w := newWords()
	s := time.Second
	tr := &Trace{Events: []Event{
		{Kind: EvSent, Node: w.web, Peer: w.edge},
		{Kind: EvSent, Node: w.edge, Peer: w.proxy},
		{Kind: EvSent, Node: w.proxy, Peer: w.api},
		{Kind: EvSent, Node: w.api, Peer: w.auth},
		{At: 90 * s, Kind: EvTimeout, Node: w.proxy, Peer: w.api, Limit: w.read},
		{At: 90 * s, Kind: EvAnswers, Node: w.proxy, Status: 504, Limit: w.read},
		{At: 90 * s, Kind: EvPasses, Node: w.edge, Status: 504, Peer: w.proxy},
		{At: 90 * s, Kind: EvSees, Node: w.web, Status: 504, Peer: w.proxy},
		{At: 90 * s, Kind: EvTimeout, Node: w.api, Peer: w.auth},
		{At: 90 * s, Kind: EvUndelivered, Node: w.api},
	}}
	want := `0s proxy → api → auth: connected, request sent
90s proxy: gives up on api (proxy_read_timeout 90s), answers 504; edge passes it on; web sees 504 from proxy
90s api: gives up on auth; its own error is never delivered
`
	if got := linesOf(tr); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestLinesKeepTheWayWholeBehindTheFirstThatActs(t *testing.T) {
	w := newWords()
	tr := &Trace{Outcome: Outcome{Status: 200, Cut: true}, Events: []Event{
		{Kind: EvSent, Node: w.web, Peer: w.edge},
		{Kind: EvSent, Node: w.edge, Peer: w.proxy},
		{Kind: EvSent, Node: w.proxy, Peer: w.api},
		{At: time.Second, Kind: EvTimeout, Node: w.web, Peer: w.edge},
		{At: time.Second, Kind: EvSees, Node: w.web, Status: 200, Peer: w.web},
	}}
	want := "0s web → edge → proxy → api: connected, request sent\n1s web: gives up on edge, sees 200, cut short\n"
	if got := linesOf(tr); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestLinesSeparateCallsAtOtherTimesAndOfOtherLayers(t *testing.T) {
	w := newWords()
	tr := &Trace{Events: []Event{
		{Kind: EvSent, Node: w.api, Peer: w.auth},
		{Kind: EvSent, Node: w.api, Peer: w.proxy},
		{At: time.Second, Kind: EvSent, Node: w.proxy, Peer: w.web},
	}}
	want := "0s api → auth: connected, request sent\n0s api → proxy: connected, request sent\n1s proxy → web: connected, request sent\n"
	if got := linesOf(tr); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if got := linesOf(&Trace{}); got != "" {
		t.Errorf("no events give %q", got)
	}
}
