package conformance

const (
	nodeHeader   = `{"headersTimeout": 500, "requestTimeout": 1500, "connectionsCheckingInterval": 20}`
	nodeRequest  = `{"headersTimeout": 300, "requestTimeout": 500, "connectionsCheckingInterval": 20}`
	nodeInverted = `{"headersTimeout": 2000, "requestTimeout": 500, "connectionsCheckingInterval": 20}`
)

var nodeServers = []BlockScenario{
	serveRun("headersTimeout answers 408 within a header", nodeHeader, CallerHeader, serveAnswers(nodeKey, 408, "headersTimeout", 500)),
	serveRun("headersTimeout is not extended by a header that drips", nodeHeader, CallerDrip, serveAnswers(nodeKey, 408, "headersTimeout", 500)),
	serveRun("headersTimeout answers 408 on a connection that sends nothing", nodeHeader, CallerMute, serveAnswers(nodeKey, 408, "headersTimeout", 500)),
	serveRun("requestTimeout answers 408 within a body", nodeRequest, CallerBody, serveAnswers(nodeKey, 408, "requestTimeout", 500)),
	serveRun("requestTimeout does not bound the handler", nodeRequest, "", serveAnswers(nodeKey, 200, "", 900)).working(900),
	serveRun("both of zero wait for a header without end", `{"headersTimeout": 0, "requestTimeout": 0, "connectionsCheckingInterval": 20}`, CallerHeader, Prediction{Running: true}),
	serveRun("headersTimeout is looked at each connectionsCheckingInterval only", `{"headersTimeout": 1200, "requestTimeout": 5000, "connectionsCheckingInterval": 1000}`, CallerHeader, serveAnswers(nodeKey, 408, "headersTimeout", 2000)).but("the model fires a limit when it is due, not when it is looked at"),
	serveRun("a headersTimeout above requestTimeout is swapped with it: the header has the smaller one", nodeInverted, CallerHeader, serveAnswers(nodeKey, 408, "headersTimeout", 500)).but("the pair wants a resolver"),
	serveRun("a headersTimeout above requestTimeout is swapped with it: the body has the larger one", nodeInverted, CallerBody, serveAnswers(nodeKey, 408, "requestTimeout", 2000)).but("the pair wants a resolver"),
	nodeOptions(serveRun("a headersTimeout above requestTimeout is refused as an option", nodeInverted, CallerHeader, serveCloses(nodeKey, "", 0)).failing("ERR_OUT_OF_RANGE").but("the pair wants a resolver")),
	serveRun("timeout destroys the connection of a handler that is silent", `{"timeout": 300}`, "", serveCloses(nodeKey, "timeout", 300)).working(900).failing(FailsBroken),
	serveRun("timeout destroys a connection within a header", `{"timeout": 300}`, CallerHeader, serveCloses(nodeKey, "timeout", 300)).failing(FailsBroken),
	serveRun("timeout is a gap: a header that drips never trips it", `{"timeout": 300, "headersTimeout": 0, "requestTimeout": 0}`, CallerDrip, Prediction{Running: true}),
	serveRun("timeout of zero does not bound the handler", `{"timeout": 0}`, "", serveAnswers(nodeKey, 200, "", 700)).working(700),
	serveRun("keepAliveTimeout of zero keeps idle connections", `{"keepAliveTimeout": 0}`, CallerIdle, serveKeeps),
	nodeSecond(serveRun("maxRequestsPerSocket answers 503 to a further request", `{"maxRequestsPerSocket": 1}`, "", serveAnswers(nodeKey, 503, "maxRequestsPerSocket", 0)).but("the model counts no requests of a connection")),
}

func nodeOptions(s BlockScenario) BlockScenario {
	s.Options, s.Predict.Attempts = true, 0
	return s
}

// first has the caller make one request before the measured one.
func nodeSecond(s BlockScenario) BlockScenario { return s.after(1) }

// nodeServerOf is what differs between versions.
var nodeServerOf = map[string][]BlockScenario{
	"18": {
		serveRun("keepAliveTimeout closes an idle connection", `{"keepAliveTimeout": 1000}`, CallerIdle, serveAnswers(nodeKey, 200, "keepAliveTimeout", 1000)),
		serveRun("an idle connection is closed after 5 s where nothing is set", `{}`, CallerIdle, serveAnswers(nodeKey, 200, "keepAliveTimeout", 5000)),
	},
	"20": {
		serveRun("keepAliveTimeout closes an idle connection 1 s later than it says", `{"keepAliveTimeout": 1000}`, CallerIdle, serveAnswers(nodeKey, 200, "keepAliveTimeout", 2000)),
		serveRun("an idle connection is closed after 6 s where nothing is set", `{}`, CallerIdle, serveAnswers(nodeKey, 200, "keepAliveTimeout", 6000)),
	},
}
