package conformance

import (
	"time"

	"tchain.dev/tchain/conformance/fault"
)

// A Scenario is one run of one product. It is what a driver in another language
// reads as JSON, so times are whole milliseconds.
type Scenario struct {
	Name    string `json:"name"` // a sentence: what happens
	Product string `json:"product"`
	// Settings are in the product's own names and syntax. For NGINX a bare name is
	// a directive of the server block, "location." leads to the location, "upstream." to
	// the upstream block, and "upstream.server." to the parameters of each of its
	// servers. What is not listed keeps the product's default.
	Settings map[string]string `json:"settings,omitempty"`
	// Snippets take the place of Settings where the text itself is what is proved.
	Snippets *Snippets `json:"snippets,omitempty"`
	// Upstreams are the servers that the product calls, one address each.
	Upstreams []fault.Config `json:"upstreams"`
	Method    string         `json:"method"` // "" is GET
	BodyBytes int            `json:"bodyBytes,omitempty"`
	// Before is how many GET requests are made and finished before the one that is
	// measured: they leave a pooled connection or an ejected server behind.
	Before int `json:"before,omitempty"`
	// ObserveMS ends the observation, in milliseconds; 0 is 15 s. A request that is
	// not over by then counts as running.
	ObserveMS int        `json:"observeMs,omitempty"`
	Predict   Prediction `json:"predict"`
	// Unmodelled says why the model's trace says something else than Predict; ""
	// if it does not.
	Unmodelled string `json:"unmodelled,omitempty"`
}

// Snippets are pieces of a configuration as an emitter wrote them.
type Snippets struct {
	Server   string `json:"server"`   // what stands in the server block
	Upstream string `json:"upstream"` // the upstream blocks, whole
	// Addresses are the addresses in the text that the fault servers take the
	// place of, in the order of Upstreams.
	Addresses []string `json:"addresses"`
}

// A Prediction is what the outermost caller and the upstreams should see.
type Prediction struct {
	Status    int    `json:"status"`            // 0: no status
	By        string `json:"by,omitempty"`      // who wrote the response: the product, or Upstream; "" while running
	Setting   string `json:"setting,omitempty"` // the limit that fired last; "" if none did
	Attempts  int    `json:"attempts"`          // requests or connections that the product tried
	ElapsedMS int    `json:"elapsedMs"`         // until the end, in milliseconds; not compared while running
	Cut       bool   `json:"cut,omitempty"`     // the response stops before its end
	Running   bool   `json:"running,omitempty"` // it is not over when the observation ends
	// FirstByteMS is when the first byte of the response comes, in milliseconds;
	// NoByte if none does. A predicted 0 is not compared: AtOnce is.
	FirstByteMS int `json:"firstByteMs,omitempty"`
}

// What FirstByteMS can be besides a time.
const (
	NoByte = -1
	AtOnce = 1
)

// Upstream is who wrote a response that the product passed on, whole or cut.
const Upstream = "upstream"

// A Result is what was observed.
type Result struct {
	Prediction
	Product string       `json:"product"`
	Version string       `json:"version"`
	Error   string       `json:"error,omitempty"` // of the client; "" if the response was complete
	Bytes   int64        `json:"bytes"`           // of the body
	Seen    fault.Counts `json:"seen"`            // by all upstreams until the product was done; Abandoned may be one behind
	// Native is the product's own account, by its own names: for NGINX
	// "$upstream_status", "$upstream_response_time", "$request_time" and the last
	// line of "error.log".
	Native map[string]string `json:"native,omitempty"`
}

func (s Scenario) method() string {
	if s.Method == "" {
		return "GET"
	}
	return s.Method
}

func (s Scenario) observe() time.Duration {
	if s.ObserveMS == 0 {
		return 15 * time.Second
	}
	return time.Duration(s.ObserveMS) * time.Millisecond
}
