// Package jvm drives the clients and servers of the Java world. Its pom.xml has
// one module a variant: a set of releases that are used together. Fetch brings
// their jars from Maven Central once; Start compiles the driver in java/ against
// one of them, and runs it with the jars of any.
//
// A running [Driver] is one JVM. It is given scenarios as JSON, one a line, which
// may run at the same time, and answers each with a line.
package jvm

import "encoding/json"

// A Request is one request that a driver makes.
type Request struct {
	Method string `json:"method,omitempty"` // "" is GET
	Path   string `json:"path,omitempty"`   // "" is /
	Body   string `json:"body,omitempty"`
}

// A Scenario is what a driver is given.
type Scenario struct {
	ID       int             `json:"id"` // given by Run
	Driver   string          `json:"driver"`
	Settings json.RawMessage `json:"settings,omitempty"` // in the product's own names
	Scheme   string          `json:"scheme,omitempty"`   // "" is http
	Host     string          `json:"host,omitempty"`     // "" is 127.0.0.1; Hosts lists the names
	Port     int             `json:"port,omitempty"`
	// Proxy is the port of a CONNECT proxy, Nameserver that of a name server, both
	// on loopback; 0 is none.
	Proxy      int `json:"proxy,omitempty"`
	Nameserver int `json:"nameserver,omitempty"`
	// Before are requests that are made and finished one after the other, each
	// with a pause of PauseMS after it. Then Hold requests like Holding are begun,
	// and last the one that counts is made.
	Before    []Request `json:"before,omitempty"`
	PauseMS   int       `json:"pauseMs,omitempty"`
	Hold      int       `json:"hold,omitempty"`
	Holding   Request   `json:"holding"`
	Measured  Request   `json:"measured"`
	ObserveMS int       `json:"observeMs,omitempty"` // 0 is 15 s
}

// A Result is what a driver says of the request that counts.
type Result struct {
	ID        int      `json:"id"`
	Status    int      `json:"status"` // 0: no header came
	Errors    []string `json:"errors"` // the exception and its causes, by class
	Message   string   `json:"message"`
	ElapsedMS int      `json:"elapsedMs"`
	HeaderMS  int      `json:"headerMs"` // -1: no header came
	Bytes     int64    `json:"bytes"`    // of the body
	Running   bool     `json:"running"`  // not over when the observation ended
	Port      int      `json:"port"`     // of a server that was started
	Failed    string   `json:"failed"`   // why there was no run, or what the product's API does not take
}

// Hosts are the names that resolve inside a driver, each to as many addresses as
// it says; all are 127.0.0.1, so that one port of a fault server serves them.
var Hosts = map[int]string{1: "one.test", 2: "two.test", 3: "three.test"}
