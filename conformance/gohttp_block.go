package conformance

import (
	"encoding/json"
	"slices"

	"tchain.dev/tchain/chain"
)

// A BlockScenario is a run of a program's client or server whose settings are
// one block of a stack: the same JSON is given to the real product and to tchain.
type BlockScenario struct {
	Scenario
	Key   string          `json:"key"`   // the type in the catalogue: "gohttp"
	Side  chain.Side      `json:"side"`  // which of the two the product is
	Block json.RawMessage `json:"block"` // what stands below Key in a stack
	// Fails is how the product's own call fails, as one of the classes below; ""
	// if it does not.
	Fails string `json:"fails,omitempty"`

	// Of a client: Addresses is how many its callee's name has; Occupy is how many
	// requests of its own it has under way when the measured one begins; Idle
	// measures how long it keeps the connection of an answered request, and
	// Announce is the Keep-Alive header that it was sent.
	Addresses int    `json:"addresses,omitempty"`
	Occupy    int    `json:"occupy,omitempty"`
	Idle      bool   `json:"idle,omitempty"`
	Announce  string `json:"announce,omitempty"`
	// PauseMS is how long a client waits between its earlier requests and the
	// measured one, in milliseconds. Ruby's driver knows it.
	PauseMS int `json:"pauseMs,omitempty"`

	// Of a proxy: Kept has its caller make all requests over one connection.
	Kept bool `json:"kept,omitempty"`

	// Of a server: Caller is what its caller does, WorkMS how long its handler
	// takes, in milliseconds. Options has the driver give all settings at once.
	Caller  Caller `json:"caller,omitempty"`
	WorkMS  int    `json:"workMs,omitempty"`
	Options bool   `json:"options,omitempty"`
}

// A Caller is the way in which the caller of a server behaves.
type Caller string

// The callers. The zero value sends a whole request and waits.
const (
	CallerMute   Caller = "mute"   // connects and sends nothing
	CallerHeader Caller = "header" // half of a header
	CallerDrip   Caller = "drip"   // a header without end, byte by byte
	CallerBody   Caller = "body"   // a header and half of a body
	CallerIdle   Caller = "idle"   // a request, and then it keeps the connection
)

// The classes of failure that products can be told to agree on: each has names
// of its own for them.
const (
	FailsTimeout = "timeout" // a limit of its own
	FailsRefused = "refused" // no connection
	FailsBroken  = "broken"  // the connection ended before an answer
	FailsCut     = "cut"     // the connection ended within the answer
)

var failsOf = map[chain.Cond]string{
	chain.CondPoolTimeout: FailsTimeout, chain.CondDNSTimeout: FailsTimeout, chain.CondConnectTimeout: FailsTimeout,
	chain.CondTLSTimeout: FailsTimeout, chain.CondWriteTimeout: FailsTimeout, chain.CondTimeout: FailsTimeout,
	chain.CondDeadline: FailsTimeout,
	chain.CondRefused:  FailsRefused, chain.CondReset: FailsBroken, chain.CondStale: FailsBroken, chain.CondKilled: FailsBroken,
}

// BlockScenarios are the runs of all products that are driven by blocks.
func BlockScenarios() []BlockScenario {
	return slices.Concat(GoScenarios(), NodeScenarios(), ChromiumScenarios(), ProxyScenarios(), PythonScenarios(), RubyScenarios(), NodeClientScenarios(), PythonServerScenarios(), PumaScenarios(), StoreScenarios())
}

// BlockRows are the same in the form in which Rows orders and names them.
func BlockRows() []Scenario {
	var out []Scenario
	for _, s := range BlockScenarios() {
		out = append(out, Scenario{Name: s.Name, Product: s.Product, Predict: s.Predict})
	}
	return out
}

// compare says where an observation differs, the way in which a call fails included.
func (s BlockScenario) compare(r Result) []string {
	out := compare(s.Predict, r)
	if got := r.Native["fails"]; got != s.Fails {
		out = append(out, "fails: predicted "+orNothing(s.Fails)+", observed "+orNothing(got)+" ("+r.Error+")")
	}
	return out
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}
