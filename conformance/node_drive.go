package conformance

import (
	"fmt"
	"strings"
)

// nodeKey is node:http in the catalogue, client and server. A scenario's product
// is the key with the major version.
const nodeKey = "node"

// nodeMajors are the major versions that are run: they differ in what they do.
var nodeMajors = []string{"18", "20"}

// drive runs one scenario in the process.
func (n *scriptProcess) drive(s BlockScenario) (Result, error) {
	if s.Side == "serve" {
		return n.driveServer(s)
	}
	return n.driveClient(s, nodeFailure)
}

// driveClient runs a scenario of a client in the process; failure reads the code
// and the text of an error: the setting whose time was up, and how the call fails.
func (n *scriptProcess) driveClient(s BlockScenario, failure func(s BlockScenario, code, text string, cut bool) (setting, fails string)) (Result, error) {
	env, err := newGoEnvironment(s)
	if err != nil {
		return Result{}, err
	}
	defer env.close()
	one, err := n.run(s, map[string]any{"url": env.url, "ca": env.certificate()})
	if err != nil {
		return Result{}, err
	}
	r := one.result(s)
	if one.Code != "" && !r.Running {
		r.Cut, r.Native["code"] = one.Status != 0, one.Code
		r.Setting, r.Native["fails"] = failure(s, one.Code, one.Error, r.Cut)
	}
	if s.Idle {
		env.watch.idle(&r, s)
	}
	r.Seen = env.seen()
	r.Seen.Requests -= min(s.Before+s.Occupy, r.Seen.Requests)
	r.Attempts = r.Seen.Requests
	return r, nil
}

func (n report) result(s BlockScenario) Result {
	r := Result{Product: s.Product, Version: n.Version, Error: n.Error, Bytes: n.Bytes, Native: map[string]string{}}
	r.Status, r.ElapsedMS, r.Running = n.Status, n.ElapsedMS, n.Running
	if len(n.Events) > 0 {
		r.Native["events"] = strings.Join(n.Events, ", ")
	}
	switch {
	case n.Running:
		return r
	case n.Status != 0:
		r.By = Upstream
	default:
		r.By = s.Key
	}
	return r
}

// nodeFailure reads what a request of node:http failed with. There is one timer,
// which does not say which setting it has its time from.
func nodeFailure(s BlockScenario, code, _ string, cut bool) (setting, fails string) {
	switch code {
	case "TIMEOUT":
		return s.Predict.Setting, FailsTimeout
	case "ABORT_ERR":
		return "signal.timeout", FailsTimeout
	case "ECONNREFUSED":
		return "", FailsRefused
	case "ECONNRESET", "EPIPE":
		if cut {
			return "", FailsCut
		}
		return "", FailsBroken
	}
	return "", code
}

func (n *scriptProcess) driveServer(s BlockScenario) (Result, error) {
	one, err := n.run(s, map[string]any{})
	if err != nil {
		return Result{}, err
	}
	if one.Code != "" {
		r := Result{Product: s.Product, Version: one.Version, Error: one.Error, Native: map[string]string{"fails": one.Code}}
		r.By = s.Key
		return r, nil
	}
	r := callServer(fmt.Sprintf("127.0.0.1:%d", one.Port), s)
	r.Product, r.Version, r.Setting = s.Product, one.Version, s.Predict.Setting
	return r, nil
}
