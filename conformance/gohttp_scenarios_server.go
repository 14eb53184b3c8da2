package conformance

import "encoding/json"

// served is a scenario of a server: what it is called, its block, what its caller
// does, and what is predicted.
func serveRun(name, block string, c Caller, p Prediction) BlockScenario {
	s := BlockScenario{Block: json.RawMessage(block), Caller: c}
	p.Attempts = 1
	s.Name, s.Predict = name, p
	if p.Running {
		s.ObserveMS = 1500
	}
	return s
}

func (s BlockScenario) working(ms int) BlockScenario { s.WorkMS = ms; return s }

// closed is a connection that the server ends without an answer.
func serveCloses(by, setting string, ms int) Prediction {
	return Prediction{By: by, Setting: setting, ElapsedMS: ms}
}

func serveAnswers(by string, status int, setting string, ms int) Prediction {
	return Prediction{Status: status, By: by, Setting: setting, ElapsedMS: ms}
}

var serveKeeps = Prediction{Status: 200, Running: true}

var goServers = []BlockScenario{
	serveRun("ReadHeaderTimeout closes silently within a header", `{"ReadHeaderTimeout": "400ms"}`, CallerHeader, serveCloses(goKey, "ReadHeaderTimeout", 400)).failing(FailsBroken),
	serveRun("ReadHeaderTimeout is not extended by a header that drips", `{"ReadHeaderTimeout": "400ms"}`, CallerDrip, serveCloses(goKey, "ReadHeaderTimeout", 400)).failing(FailsBroken),
	serveRun("ReadHeaderTimeout closes a connection that sends nothing", `{"ReadHeaderTimeout": "400ms"}`, CallerMute, serveCloses(goKey, "ReadHeaderTimeout", 400)).failing(FailsBroken),
	serveRun("ReadTimeout takes the place of an unset ReadHeaderTimeout", `{"ReadTimeout": "400ms"}`, CallerHeader, serveCloses(goKey, "ReadHeaderTimeout", 400)).failing(FailsBroken),
	serveRun("a negative ReadHeaderTimeout is none, although ReadTimeout is set", `{"ReadHeaderTimeout": "-1s", "ReadTimeout": "400ms"}`, CallerHeader, Prediction{Running: true}),
	serveRun("nothing set waits for a header without end", `{}`, CallerHeader, Prediction{Running: true}),
	serveRun("ReadTimeout ends the read of a body, and the handler still answers", `{"ReadTimeout": "400ms"}`, CallerBody, serveAnswers(goKey, 200, "ReadTimeout", 400)).but("what the handler makes of the error is its own"),
	serveRun("ReadTimeout does not bound the handler", `{"ReadTimeout": "300ms"}`, "", serveAnswers(goKey, 200, "", 700)).working(700),
	serveRun("WriteTimeout loses the late answer: EOF when the handler returns", `{"WriteTimeout": "300ms"}`, "", serveCloses(goKey, "WriteTimeout", 700)).working(700).failing(FailsBroken),
	serveRun("WriteTimeout above the handler's time does no harm", `{"WriteTimeout": "1s"}`, "", serveAnswers(goKey, 200, "", 400)).working(400),
	serveRun("a negative WriteTimeout is none", `{"WriteTimeout": "-1s"}`, "", serveAnswers(goKey, 200, "", 400)).working(400),
	serveRun("TimeoutHandler answers 503", `{"TimeoutHandler": "300ms"}`, "", serveAnswers(goKey, 503, "TimeoutHandler", 300)).working(800),
	serveRun("TimeoutHandler above WriteTimeout is lost: EOF when it fires", `{"TimeoutHandler": "600ms", "WriteTimeout": "300ms"}`, "", serveCloses(goKey, "WriteTimeout", 600)).working(1000).failing(FailsBroken),
	serveRun("TimeoutHandler with an unread body is held back without end", `{"TimeoutHandler": "300ms"}`, CallerBody, Prediction{Running: true}),
	serveRun("IdleTimeout closes an idle connection", `{"IdleTimeout": "500ms"}`, CallerIdle, serveAnswers(goKey, 200, "IdleTimeout", 500)),
	serveRun("ReadTimeout takes the place of an unset IdleTimeout", `{"ReadTimeout": "500ms"}`, CallerIdle, serveAnswers(goKey, 200, "IdleTimeout", 500)),
	serveRun("IdleTimeout of zero is ReadTimeout", `{"IdleTimeout": "0s", "ReadTimeout": "500ms"}`, CallerIdle, serveAnswers(goKey, 200, "IdleTimeout", 500)),
	serveRun("a negative IdleTimeout keeps idle connections, although ReadTimeout is set", `{"IdleTimeout": "-1s", "ReadTimeout": "500ms"}`, CallerIdle, serveKeeps),
	serveRun("nothing set keeps idle connections", `{}`, CallerIdle, serveKeeps),
}
