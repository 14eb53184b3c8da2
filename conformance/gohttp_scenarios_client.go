package conformance

import (
	"encoding/json"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// GoScenarios are the runs of net/http, client and server.
func GoScenarios() []BlockScenario {
	var out []BlockScenario
	for _, group := range [][]BlockScenario{goLimits, goAddresses, goConnections, goUnset} {
		for _, s := range group {
			s.Product, s.Key, s.Side = goKey, goKey, chain.Calling
			out = append(out, s)
		}
	}
	for _, s := range goServers {
		s.Product, s.Key, s.Side = goKey, goKey, chain.Answering
		out = append(out, s)
	}
	return out
}

// one is a scenario of a client: what it is called, its block, what is wrong
// with its callee, and what is predicted.
func callRun(name, block string, c fault.Config, p Prediction) BlockScenario {
	s := BlockScenario{Block: json.RawMessage(block)}
	s.Name, s.Upstreams, s.Predict = name, []fault.Config{c}, p
	if p.Running && s.ObserveMS == 0 {
		s.ObserveMS = 1500
	}
	return s
}

func (s BlockScenario) failing(class string) BlockScenario { s.Fails = class; return s }
func (s BlockScenario) post() BlockScenario                { s.Method, s.BodyBytes = "POST", 5; return s }
func (s BlockScenario) pausing(ms int) BlockScenario       { s.PauseMS = ms; return s }
func (s BlockScenario) after(n int) BlockScenario          { s.Before = n; return s }
func (s BlockScenario) occupying(n int) BlockScenario      { s.Occupy = n; return s }
func (s BlockScenario) kept() BlockScenario                { s.Kept = true; return s }
func (s BlockScenario) observing(ms int) BlockScenario     { s.ObserveMS = ms; return s }

// uploading has a body that no kernel's buffers hold.
func (s BlockScenario) uploading(method string) BlockScenario {
	s.Method, s.BodyBytes = method, 16<<20
	return s
}

func (s BlockScenario) but(why string) BlockScenario { s.Unmodelled = why; return s }

// idleTo is a scenario of how long a client keeps an idle connection.
func idleRun(name, block, announce string, p Prediction) BlockScenario {
	p.Attempts = 1
	p.Status = 200
	if !p.Running {
		p.By = Upstream
	}
	s := callRun(name, block, fault.Config{Mode: fault.OK}, p).observing(2500)
	s.Idle, s.Announce = true, announce
	return s
}

var (
	calleeDeaf     = fault.Config{Mode: fault.Backlog}
	calleeRefuses  = fault.Config{Mode: fault.Refuse}
	calleeStalls   = fault.Config{Mode: fault.Stall}
	calleeDrips    = fault.Config{Mode: fault.HeaderDrip}
	calleeTrickles = fault.Config{Mode: fault.Trickle}
	calleeResets   = fault.Config{Mode: fault.Reset}
	calleeHangsUp  = fault.Config{Mode: fault.HangUp}
	calleeRaces    = fault.Config{Mode: fault.IdleRace}
	calleeBusy     = fault.Config{Mode: fault.Unavailable}
	calleeTLSHangs = fault.Config{Mode: fault.TLSStall, TLS: true}

	calleeTakesNothing = fault.Config{Mode: fault.TLSStall} // a plain request's body waits
)

func calleeSlow(ms int) fault.Config { return fault.Config{Mode: fault.Slow, DelayMS: ms} }

// ended is the end of a call by the client's own limit before any header.
func callEnds(by, setting string, ms, attempts int) Prediction {
	return Prediction{By: by, Setting: setting, ElapsedMS: ms, Attempts: attempts}
}

// cutBy is the end of a call by the client's own limit within the body.
func callCut(setting string, ms int) Prediction {
	return Prediction{Status: 200, By: Upstream, Setting: setting, ElapsedMS: ms, Attempts: 1, Cut: true}
}

// complete is an answer that came to its end.
func callWhole(status, ms, attempts int) Prediction {
	return Prediction{Status: status, By: Upstream, ElapsedMS: ms, Attempts: attempts}
}

// without is a call that does not end while it is observed.
func callRuns(status, attempts int) Prediction {
	return Prediction{Status: status, Attempts: attempts, Running: true}
}

const (
	goHeader  = `{"Transport": {"ResponseHeaderTimeout": "300ms"}}`
	goTotal   = `{"Timeout": "300ms"}`
	goContext = `{"context": {"timeout": "300ms"}}`
)

var goLimits = []BlockScenario{
	callRun("Timeout ends the wait for a header", goTotal, silent, callEnds(goKey, "Timeout", 300, 1)).failing(FailsTimeout),
	callRun("Timeout ends a header that drips", goTotal, calleeDrips, callEnds(goKey, "Timeout", 300, 1)).failing(FailsTimeout),
	callRun("Timeout ends a body that stalls", goTotal, calleeStalls, callCut("Timeout", 300)).failing(FailsTimeout),
	callRun("Timeout ends a body that trickles", goTotal, calleeTrickles, callCut("Timeout", 300)).failing(FailsTimeout),
	callRun("Timeout ends the wait for a connect", goTotal, calleeDeaf, callEnds(goKey, "Timeout", 300, 0)).failing(FailsTimeout),
	callRun("Timeout of zero is none", `{"Timeout": "0s"}`, silent, callRuns(0, 1)),
	callRun("a negative Timeout is none", `{"Timeout": "-1s"}`, silent, callRuns(0, 1)),
	callRun("an answer inside Timeout comes whole", `{"Timeout": "1s"}`, calleeSlow(400), callWhole(200, 400, 1)),
	callRun("the context's deadline ends the wait for a header", goContext, silent, callEnds(goKey, "context.timeout", 300, 1)).failing(FailsTimeout),
	callRun("the context's deadline ends a body that trickles", goContext, calleeTrickles, callCut("context.timeout", 300)).failing(FailsTimeout),
	callRun("the context's deadline ends the wait for a connect", goContext, calleeDeaf, callEnds(goKey, "context.timeout", 300, 0)).failing(FailsTimeout),
	callRun("of the context's deadline and Timeout the sooner one ends the call", `{"context": {"timeout": "300ms"}, "Timeout": "900ms"}`, silent, callEnds(goKey, "context.timeout", 300, 1)).failing(FailsTimeout),
	callRun("ResponseHeaderTimeout ends the wait for a header", goHeader, silent, callEnds(goKey, "Transport.ResponseHeaderTimeout", 300, 1)).failing(FailsTimeout),
	callRun("ResponseHeaderTimeout is for the whole header: dripping does not extend it", goHeader, calleeDrips, callEnds(goKey, "Transport.ResponseHeaderTimeout", 300, 1)).failing(FailsTimeout),
	callRun("ResponseHeaderTimeout does not bound a body that stalls", goHeader, calleeStalls, callRuns(200, 1)),
	callRun("ResponseHeaderTimeout does not bound a body that trickles", goHeader, calleeTrickles, callRuns(200, 1)),
	callRun("ResponseHeaderTimeout does not bound the connect", goHeader, calleeDeaf, callRuns(0, 0)),
	callRun("a negative ResponseHeaderTimeout is none", `{"Transport": {"ResponseHeaderTimeout": "-1s"}}`, silent, callRuns(0, 1)),
	callRun("TLSHandshakeTimeout ends a handshake that stalls", `{"Transport": {"TLSHandshakeTimeout": "300ms"}}`, calleeTLSHangs, callEnds(goKey, "Transport.TLSHandshakeTimeout", 300, 0)).failing(FailsTimeout),
	callRun("a negative TLSHandshakeTimeout ends every handshake at once", `{"Transport": {"TLSHandshakeTimeout": "-1s"}}`, calleeTLSHangs, callEnds(goKey, "Transport.TLSHandshakeTimeout", 0, 0)).failing(FailsTimeout),
	callRun("Dialer.Timeout does not bound a handshake that stalls", `{"Transport": {"Dialer": {"Timeout": "300ms"}}}`, calleeTLSHangs, callRuns(0, 0)),
	callRun("Dialer.Timeout ends the wait for a connect", `{"Transport": {"Dialer": {"Timeout": "300ms"}}}`, calleeDeaf, callEnds(goKey, "Transport.Dialer.Timeout", 300, 0)).failing(FailsTimeout),
	callRun("a negative Dialer.Timeout ends every dial at once", `{"Transport": {"Dialer": {"Timeout": "-1s"}}}`, calleeDeaf, callEnds(goKey, "Transport.Dialer.Timeout", 0, 0)).failing(FailsTimeout),
}

var goAddresses = []BlockScenario{
	twoAddresses(callRun("Dialer.Timeout is for both of two deaf addresses together", `{"Transport": {"Dialer": {"Timeout": "1s"}}}`, calleeDeaf, callEnds(goKey, "Transport.Dialer.Timeout", 1000, 0)).failing(FailsTimeout), calleeDeaf),
	twoAddresses(callRun("Dialer.Timeout up to 2 s leaves nothing for the second address", `{"Transport": {"Dialer": {"Timeout": "1s"}}}`, calleeDeaf, callEnds(goKey, "Transport.Dialer.Timeout", 1000, 0)).failing(FailsTimeout), works),
	twoAddresses(callRun("Dialer.Timeout of 3 s gives the first of two addresses 2 s", `{"Transport": {"Dialer": {"Timeout": "3s"}}}`, calleeDeaf, callWhole(200, 2000, 0)).but("a fault of the model is at all addresses of a callee"), works),
}

func twoAddresses(s BlockScenario, second fault.Config) BlockScenario {
	s.Addresses, s.Upstreams = 2, append(s.Upstreams, second)
	return s
}
