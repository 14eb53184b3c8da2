package conformance

import (
	_ "embed"
	"os/exec"
	"slices"
	"strings"
)

//go:embed ruby/driver.rb
var rubyDriver string

// rubyKey is the key of Ruby's client, which is Ruby's own library: it has the
// release of the Ruby that is there.
const rubyKey = "netHttpRuby"

func startRuby() (*scriptProcess, error) {
	return startDriver("ruby", exec.Command("ruby", "-e", rubyDriver))
}

// rubyFailure reads the exceptions of Net::HTTP, the outer one first.
func rubyFailure(_ BlockScenario, code, _ string, cut bool) (setting, fails string) {
	names := strings.Fields(code)
	for _, known := range []struct{ name, setting string }{
		{"Net::OpenTimeout", "open_timeout"}, {"Net::ReadTimeout", "read_timeout"}, {"Net::WriteTimeout", "write_timeout"},
	} {
		if slices.Contains(names, known.name) {
			return known.setting, FailsTimeout
		}
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	switch {
	case has("Errno::ECONNREFUSED"):
		return "", FailsRefused
	case cut:
		return "", FailsCut
	case has("EOFError") || has("Errno::ECONNRESET") || has("Errno::EPIPE"):
		return "", FailsBroken
	}
	return "", code
}

// RubyScenarios are the runs of Net::HTTP.
func RubyScenarios() []BlockScenario { return clientRuns(rubyKey, rubyRuns) }

const rubyOnce = `{"read_timeout": 0.4, "max_retries": 0}`

var rubyRuns = []BlockScenario{
	fires("open_timeout ends the wait for a connect", `{"open_timeout": 0.4}`, calleeDeaf, rubyKey, "open_timeout", 400, 0),
	fires("open_timeout ends a handshake that stalls", `{"open_timeout": 0.4}`, calleeTLSHangs, rubyKey, "open_timeout", 400, 0),
	callRun("ssl_timeout does not end a handshake that stalls", `{"open_timeout": null, "ssl_timeout": 1}`, calleeTLSHangs, callRuns(0, 0)),
	callRun("an open_timeout of nil is none", `{"open_timeout": null}`, calleeDeaf, callRuns(0, 0)),
	fires("read_timeout ends the wait for a header", rubyOnce, silent, rubyKey, "read_timeout", 400, 1),
	fires("a GET that timed out is sent again once where nothing is written", `{"read_timeout": 0.4}`, silent, rubyKey, "read_timeout", 800, 2),
	fires("max_retries sends a GET again, each time at once", `{"read_timeout": 0.4, "max_retries": 2}`, silent, rubyKey, "read_timeout", 1200, 3),
	fires("a POST that timed out is not sent again", `{"read_timeout": 0.4}`, silent, rubyKey, "read_timeout", 400, 1).post(),
	callRun("a read_timeout of nil is none", `{"read_timeout": null}`, silent, callRuns(0, 1)),
	fires("a read_timeout of zero fires at once", `{"read_timeout": 0, "max_retries": 0}`, silent, rubyKey, "read_timeout", 0, 1),
	callRun("read_timeout is a gap: a header that drips never trips it", rubyOnce, calleeDrips, callRuns(0, 1)),
	callRun("read_timeout is a gap: a body that trickles never trips it", rubyOnce, calleeTrickles, callRuns(200, 1)),
	callRun("read_timeout ends a body that stalls", rubyOnce, calleeStalls, callCut("read_timeout", 400)).failing(FailsTimeout),
	callRun("a GET whose body stalls is sent again once", `{"read_timeout": 0.4}`, calleeStalls, Prediction{Status: 200, By: Upstream, Setting: "read_timeout", ElapsedMS: 800, Attempts: 2, Cut: true}).failing(FailsTimeout).but("the program of the model passes on what it gets, so that nothing is repeated after the header"),
	callRun("a POST whose body stalls is not sent again", `{"read_timeout": 0.4}`, calleeStalls, callCut("read_timeout", 400)).failing(FailsTimeout).post(),
	fires("write_timeout ends a body that nobody takes", `{"write_timeout": 0.4}`, calleeTakesNothing, rubyKey, "write_timeout", 400, 0).uploading("POST"),
	fires("a PUT whose body nobody takes is sent again once", `{"write_timeout": 0.4}`, calleeTakesNothing, rubyKey, "write_timeout", 800, 0).uploading("PUT"),
	callRun("a write_timeout of nil is none", `{"write_timeout": null}`, calleeTakesNothing, callRuns(0, 0)).uploading("POST"),
	fires("a write_timeout of zero fires at once where the body does not pass", `{"write_timeout": 0}`, calleeTakesNothing, rubyKey, "write_timeout", 0, 0).uploading("POST"),
	callRun("a connection that is refused fails at once", `{}`, calleeRefuses, callEnds(rubyKey, "", 0, 0)).failing(FailsRefused),
	callRun("a GET that is reset is sent again once", `{}`, calleeResets, callEnds(rubyKey, "", 0, 2)).failing(FailsBroken),
	callRun("a POST that is reset fails at once", `{}`, calleeResets, callEnds(rubyKey, "", 0, 1)).failing(FailsBroken).post(),
	callRun("a 503 is an answer like any other", `{}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("an answer inside read_timeout comes whole", `{"read_timeout": 0.8}`, calleeSlow(400), callWhole(200, 400, 1)),
	callRun("a GET on a pooled connection that was just closed is sent again", `{}`, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a connection within keep_alive_timeout is used again: a POST fails where it was just closed", `{"keep_alive_timeout": 1}`, calleeRaces, callEnds(rubyKey, "", 0, 1)).failing(FailsBroken).post().after(1).pausing(500),
	callRun("a connection past keep_alive_timeout is not used again", `{"keep_alive_timeout": 0.4}`, calleeRaces, callWhole(200, 0, 1)).post().after(1).pausing(800),
	callRun("keep_alive_timeout not written is 2 s: a connection is used again before", `{}`, calleeRaces, callEnds(rubyKey, "", 0, 1)).failing(FailsBroken).post().after(1).pausing(1500),
	callRun("keep_alive_timeout not written is 2 s: a connection is not used again after", `{}`, calleeRaces, callWhole(200, 0, 1)).post().after(1).pausing(2500),
}
