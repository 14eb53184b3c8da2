package report

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// A Fault is one thing going wrong at one call, and what comes of it.
type Fault struct {
	Fault string  `json:"fault"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	Text  string  `json:"text"`
	Trace []Event `json:"trace"`
	// GivesUp is the limit that fired first of those that are known; nil if none did.
	GivesUp *GiveUp `json:"givesUp"`
	Outcome Outcome `json:"outcome"`

	sees  string // the outcome in words
	hop   int    // the one at which it goes wrong
	lines []chain.Line
	spans []span
}

// A GiveUp is a layer's end of its patience.
type GiveUp struct {
	At      Duration `json:"at"`
	Layer   string   `json:"layer"`
	Setting string   `json:"setting"`

	hop  int
	name string // the last word of the setting
	wait *Wait  // what the limit makes of the wait; nil where it is no time
}

// An Event is one thing that one layer did.
type Event struct {
	At      Duration `json:"at"`
	Layer   string   `json:"layer"`
	Setting string   `json:"setting"`
	Event   string   `json:"event"`
}

// An Outcome is what the outermost layer has in the end.
type Outcome struct {
	Status *int     `json:"status"`
	Error  string   `json:"error"`
	From   string   `json:"from"`
	At     Duration `json:"at"`
	Cut    bool     `json:"cut"`
	// Unless is a timer whose value is injected and not given, and which may have
	// ended the wait before; "" is none.
	Unless string `json:"unless"`
}

// Sees is the outcome in words: "504 from proxy at 90s".
func (f *Fault) Sees() string { return f.sees }

func faultsOf(s *chain.Stack, r *chain.Route) []Fault {
	out, calls := []Fault{}, callsOf(r)
	for _, t := range chain.PlayAll(r) {
		f := faultOf(s, r, calls, t)
		f.lines, f.spans = t.Lines(), spansOf(r, calls, &t)
		out = append(out, f)
	}
	return out
}

// plainFaultsOf are those of faultsOf without the lines and the spans that are drawn.
func plainFaultsOf(s *chain.Stack, r *chain.Route) []Fault {
	out, calls := []Fault{}, callsOf(r)
	for _, t := range chain.PlayAll(r) {
		out = append(out, faultOf(s, r, calls, t))
	}
	return out
}

func faultOf(s *chain.Stack, r *chain.Route, calls []call, t chain.Trace) Fault {
	f := Fault{
		Fault: string(t.Fault.Kind), From: t.Fault.From.Layer, To: t.Fault.Call.To.Layer, Text: t.Fault.Text(),
		Trace: []Event{}, sees: t.Outcome.Text(),
		Outcome: Outcome{Error: t.Outcome.Error, At: Duration(t.Outcome.At), Cut: t.Outcome.Cut, Unless: t.Outcome.Unless},
		hop:     slices.Index(calls, call{t.Fault.From, t.Fault.Call.To}),
	}
	if t.Outcome.Status != 0 {
		f.Outcome.Status = &t.Outcome.Status
	}
	if t.Outcome.From != nil {
		f.Outcome.From = t.Outcome.From.Layer
	}
	for _, e := range t.Events {
		j := Event{At: Duration(e.At), Event: e.Text()}
		if e.Node != nil {
			j.Layer = e.Node.Layer
		}
		if e.Limit != nil {
			j.Setting = e.Limit.Origin.Setting
		}
		f.Trace = append(f.Trace, j)
		if e.Kind == chain.EvTimeout && f.GivesUp == nil {
			f.GivesUp = &GiveUp{At: j.At, Layer: j.Layer, Setting: j.Setting, hop: slices.Index(calls, call{e.Node, e.Peer})}
			if e.Limit != nil {
				f.GivesUp.name = or(e.Limit.Origin.Name, string(e.Limit.Kind))
				f.GivesUp.wait = firing(s, r, &e)
			}
		}
	}
	return f
}

// first is the limit that fired first; nil if none did, or if an injected one may have
// fired before.
func (f *Fault) first() *GiveUp {
	if f.Outcome.Unless != "" {
		return nil
	}
	return f.GivesUp
}

// gaveUp is the layer whose limit fired first, "" if none did.
func (f *Fault) gaveUp() string {
	if f.GivesUp == nil {
		return ""
	}
	return f.GivesUp.Layer
}

// tones are how bad an outcome is, as the page colours it, the best one first: an error
// is worse than an answer, half an answer or none is worse than an error, and nothing
// is worse than to wait for ever.
var tones = [...]string{"fine", "error", "cut", "never"}

func (f *Fault) tone() string { return tones[f.badness()] }

// badness is how bad the outcome is for the person, as an index of tones.
func (f *Fault) badness() int {
	o := f.Outcome
	switch {
	case chainTime(o.At) == chain.Never:
		return 3
	case o.Cut || o.Error == "gives up":
		return 2
	case o.Status != nil && *o.Status < 400:
		return 0
	}
	return 1
}
