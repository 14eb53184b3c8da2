package conformance

import (
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
)

// JVMScenarios are all runs of the Java world, in the order of its products.
func JVMScenarios() []JVMScenario {
	var out []JVMScenario
	for _, group := range [][]JVMScenario{
		hc5Phases, hc5Reads, hc5Reused, hc5Tunnels, hc5Retries, hc5Connections,
		springMerges, springContexts, springOthers, jdkClients, jdkSockets, webOperators, webTransport,
	} {
		out = append(out, group...)
	}
	return out
}

// The variants; jvm.Variants says which releases each brings.
const (
	boot35     = "boot35"     // HttpClient 5.5.2, Spring 6.2.19
	boot41     = "boot41"     // HttpClient 5.6.x after 5.6.1, Spring 7.0
	hc56       = "hc56"       // HttpClient 5.6
	hc55       = "hc55"       // HttpClient 5.5
	spring626  = "spring626"  // Spring 6.2.6 with HttpClient 5.3.1
	spring6114 = "spring6114" // Spring 6.1.14 with HttpClient 5.5.2
)

var (
	all      = []string{boot35, boot41, hc56, hc55}
	boots    = []string{boot35, boot41}
	someJDK  = []string{boot35} // what does not depend on any jar
	jvmPost  = jvm.Request{Method: "POST", Body: "b"}
	jvmFirst = []jvm.Request{{Path: "/first"}}

	blackhole = fault.Config{Mode: fault.Backlog}
	tlsStall  = fault.Config{Mode: fault.TLSStall, TLS: true}
	trickles  = fault.Config{Mode: fault.Trickle, IntervalMS: 200}
	stalls    = fault.Config{Mode: fault.Stall}
	raced     = fault.Config{Mode: fault.IdleRace}
	answers   = &jvmScript{Steps: []jvmStep{{}}}
	inPieces  = &jvmScript{Steps: []jvmStep{{Pieces: 5, EveryMS: 300}}}
	closes    = &jvmScript{Steps: []jvmStep{{Close: true}}}
	thenMute  = &jvmScript{Steps: []jvmStep{{}, {Silent: true}}}
	thenMuteS = &jvmScript{TLS: true, Steps: []jvmStep{{}, {Silent: true}}}
)

// jvmFails is a prediction of an exception.
func jvmFails(class string, p JVMPrediction) JVMPrediction {
	p.Error = class
	if p.Attempts == 0 {
		p.Attempts = 1
	}
	return p
}
