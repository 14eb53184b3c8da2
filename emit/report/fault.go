package report

import "tchain.dev/tchain/chain"

// A Fault is one thing going wrong at one call, and what comes of it.
type Fault struct {
	Fault   string  `json:"fault"`
	From    string  `json:"from"`
	To      string  `json:"to"`
	Text    string  `json:"text"`
	Trace   []Event `json:"trace"`
	Outcome Outcome `json:"outcome"`

	givesUp string // the layer whose limit fired first, "" if none did
	sees    string // the outcome in words
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
}

// Sees is the outcome in words: "504 from proxy at 90s".
func (f *Fault) Sees() string { return f.sees }

func faultsOf(r *chain.Route) []Fault {
	out := []Fault{}
	for _, f := range chain.Faults(r) {
		out = append(out, faultOf(chain.Play(r, f)))
	}
	return out
}

func faultOf(t chain.Trace) Fault {
	f := Fault{
		Fault: string(t.Fault.Kind), From: t.Fault.From.Layer, To: t.Fault.Call.To.Layer, Text: t.Fault.Text(),
		Trace: []Event{}, sees: t.Outcome.Text(),
		Outcome: Outcome{Error: t.Outcome.Error, At: Duration(t.Outcome.At), Cut: t.Outcome.Cut},
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
		if e.Kind == chain.EvTimeout && f.givesUp == "" {
			f.givesUp = j.Layer
		}
	}
	return f
}
