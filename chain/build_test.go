package chain

import "time"

// limit is a written limit of a kind with the preset's moments.
func limit(k Kind, bound time.Duration, fires Fires) Limit {
	p, ok := PresetOf(k)
	if !ok {
		panic(k)
	}
	l := Limit{Kind: k, Side: p.Side, Start: p.Start, End: p.End, Reset: p.Reset, Bound: bound, Fires: fires,
		Origin: Origin{Source: Written, Name: string(k), Setting: string(k)}}
	if bound == Never {
		l.Why = "not set"
	}
	return l
}

func value(name string, d time.Duration) Value {
	return Value{D: d, Origin: Origin{Source: Written, Name: name, Setting: name}}
}

func size(name string, n int) Size {
	return Size{N: n, Origin: Origin{Source: Written, Name: name, Setting: name}}
}

// insurance is the stack of the design by hand: browser, balancer, proxy, app, external service.
func insurance() *Route {
	auth := &Node{Layer: "auth", Role: RoleLeaf, Work: Work{P99: value("latency.p99", 12*time.Second)}}
	toAuth := &Call{To: auth, Client: "auth", TLS: true, Addresses: 1,
		Pool:      &Pool{PerHost: size("maxConnPerRoute", 50), Total: size("maxConnTotal", 50)},
		Idle:      []Limit{limit(IdleKeepalive, 30*time.Second, FiresClose)},
		Unbounded: []Unbounded{{Phase: AtResolved, Reason: "name resolution has no limit"}, {Phase: AtRequestSent, Reason: "the classic client has no write limit"}},
		Layers: []ClientLayer{{Limits: []Limit{
			limit(PoolWait, time.Second, FiresError),
			limit(Connect, 3*time.Second, FiresError),
			limit(TLSHandshake, 3*time.Second, FiresError),
			limit(ResponseFirstByte, 90*time.Second, FiresError),
			limit(ResponseReadGap, 90*time.Second, FiresError),
		}}}}
	api := &Node{Layer: "api", Role: RoleBuffering, Cancel: CancelIgnored, Instances: size("instances", 6),
		Deadline: Deadline{Total: value("total", 110*time.Second), PerCall: value("perCall", 90*time.Second), Reserve: value("reserve", 5*time.Second), Enforced: true},
		Steps:    []Step{{Calls: []*Call{toAuth}}}}
	connect := limit(Connect, 3*time.Second, "504")
	connect.End = AtSecured
	proxy := &Node{Layer: "proxy", Role: RolePassing, Cancel: CancelPropagates,
		Answers: []Answer{{CondRefused, 502}, {CondReset, 502}, {CondStale, 502}, {CondKilled, 502}},
		Steps: []Step{{Calls: []*Call{{To: api, OneByOne: true, Addresses: 6, Skips: []Moment{AtResolved},
			Layers: []ClientLayer{{
				Limits: []Limit{connect, limit(WriteGap, 10*time.Second, "504"), limit(ResponseHeader, 125*time.Second, "504"), limit(ResponseReadGap, 125*time.Second, FiresCut)},
				Retry: &Retry{Attempts: size("proxy_next_upstream_tries", 1), CapAddresses: true,
					On:        []Cond{CondRefused, CondReset, CondStale, CondKilled, CondConnectTimeout, CondTLSTimeout, CondWriteTimeout, CondTimeout},
					OnMethods: []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}},
			}}}}}}}
	edge := &Node{Layer: "edge", Role: RolePassing, Cancel: CancelPropagates,
		Steps: []Step{{Calls: []*Call{{To: proxy, OneByOne: true, Addresses: 1, Skips: []Moment{AtResolved},
			Idle: []Limit{limit(IdleKeepalive, 145*time.Second, FiresClose)},
			Layers: []ClientLayer{{Limits: []Limit{
				limit(Connect, 10*time.Second, "504"), limit(WriteGap, 145*time.Second, "504"),
				limit(ResponseFirstByte, 145*time.Second, "504"), limit(ResponseReadGap, 145*time.Second, FiresCut),
			}}}}}}}}
	web := &Node{Layer: "web", Role: RoleCaller, Cancel: CancelPropagates,
		Steps: []Step{{Calls: []*Call{{To: edge, Addresses: 1, Layers: []ClientLayer{{Limits: []Limit{limit(TotalDeadline, 160*time.Second, FiresError)}}}}}}}}
	return &Route{Name: "GET /v1/affiliation/health-insurance", Method: "GET", Path: []string{"web", "edge", "proxy", "api", "auth"}, TPS: 3000, Root: web}
}
