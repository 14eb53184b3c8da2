package chain

import "testing"

// uploading is a person who sends a body for 200 s through layers.
func uploading(hops ...hop) *Route {
	r := way("POST", append([]hop{web(Never)}, hops...)...)
	r.Upload = &Upload{Bytes: 200_000, BytesPerSecond: 1000}
	return r
}

// relay is a balancer that sends the body on as it comes.
func relay(name string, limits []Limit, serve ...Limit) hop {
	n := &Node{Layer: name, Role: RolePassing, Cancel: CancelPropagates, Serve: serve,
		Answers: []Answer{{CondKilled, 520}, {CondRefused, 502}}}
	return hop{n, &Call{Addresses: 1, Layers: []ClientLayer{{Limits: limits}}}}
}

// collecting is one that has the whole body before it calls.
func collecting(h hop) hop {
	h.call.Collects = true
	return h
}

func TestALimitThatIsOverWhileARequestIsSentEndsItThere(t *testing.T) {
	header, ext := []Limit{limit(ResponseHeader, 120*s, "524")}, external(9*s)
	reading := limit(RequestBodyRead, 60*s, FiresClose)
	reading.Reset = ResetNone
	connect := []Limit{limit(Connect, 30*s, "504")}
	complete := limit(TotalDeadline, 15*s, "504")
	complete.Complete = true
	behind := uploading(relay("edge", header), relay("t", connect, reading), ext)
	whole := uploading(relay("edge", header), relay("t", []Limit{limit(TotalDeadline, 50*s, "504")}), ext)
	kept := uploading(collecting(relay("edge", header)), relay("t", connect, reading), ext)
	later := uploading(relay("edge", header), relay("t", []Limit{complete}), ext)
	slack := uploading(relay("edge", []Limit{limit(WriteGap, 10*s, "504"), limit(ResponseHeader, 120*s, "524")}), relay("t", header), ext)
	early := "200s web sent"
	check(t, []row{
		{"a server's read limit two layers in ends an upload that nobody collects", behind, Slow, "t", "520 from edge at 60s", 0, []string{"60s t closes", "60s edge failed"}},
		{"it ends one behind which all is silent as well", behind, Silent, "t", "520 from edge at 60s", 0, nil},
		{"who connects with the header is answered before the body is there", behind, Blackhole, "t", "504 from t at 30s", 0, nil},
		{"so is who is refused", behind, Refused, "t", "502 from t at 0s", 0, nil},
		{"a total of a layer in the middle counts the body that it sends on", whole, Slow, "t", "504 from t at 50s", 0, nil},
		{"one that starts when the request is there whole does not", later, Silent, "t", "504 from t at 215s", 0, []string{early, "200s t sent"}},
		{"a limit between two writes does not fire while the body flows", slack, Slow, "t", "200 from ext at 209s", 0, []string{early, "200s edge sent", "200s t sent"}},
		{"behind who collects the body it is there at once", kept, Slow, "t", "200 from ext at 209s", 0, []string{early}},
		{"who collects it connects when it is there", kept, Blackhole, "t", "504 from t at 230s", 0, nil},
	})
	for _, r := range []*Route{behind, whole} {
		if tr := playAt(t, r, Slow, "t"); happens(tr, early) {
			t.Errorf("a request that was cut is sent whole: %s", brief(tr))
		}
	}
}

func TestTheWorstCaseOfALayerThatSendsABodyOnHasBegunBeforeTheBodyIsThere(t *testing.T) {
	r := uploading(relay("edge", nil), relay("t", []Limit{limit(TotalDeadline, 250*s, "504")}), external(9*s))
	edge := r.Root.Calls()[0].To
	c := edge.Calls()[0]
	if got := WorstAnswer(r, edge, c, limit(TotalDeadline, Never, "504")).Total; got != 250*s {
		t.Errorf("t answers at %s at the latest, after edge has called", Format(got))
	}
}
