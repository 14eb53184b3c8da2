package check_test

// opened makes the proxy one that a WebSocket passes.
const opened = `"1.30.0", location: "/events": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}`

// flowing is a stream through two layers.
const flowing = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: signal: timeout: 1_000_000
	edge: alb: {}
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "70s", proxy_buffering: "off", keepalive_timeout: "300s"}
		upstream: chat: server: ["10.0.0.1:8080"]
	}
	chat: external: {}
}
routes: "GET /events": {path: ["web", "edge", "proxy", "chat"], response: stream: {first: "1s", silence: "50s", total: "15m"}}
`

// served is a stream from an app.
const served = `
tchain: "v1"
name:   "chat"
types: {
	clients: edgeway: {
		told?:  string @limit(response-header, fires=event)
		first?: string @limit(response-first-byte, fires=error)
		after?: string @limit(attempt-deadline, fires=error)
		total?: string @limit(total-deadline, fires=error)
	}
	layers: flows: {
		idle?: string @limit(flow-idle, fires=close)
		total?: string @limit(total-deadline, fires=error)
	}
}
layers: {
	web: app: {server: custom: {}, clients: chat: edgeway: {}}
	chat: app: server: custom: {}
}
routes: "GET /events": {path: ["web", "chat"], response: stream: {first: "30s", silence: "20s", total: "15m"}}
`

// uploading is an upload to an app behind a proxy.
const uploading = `
tchain: "v1"
name:   "files"
types: clients: edgeway: {
	after?: string @limit(attempt-deadline, fires=error)
	total?: string @limit(total-deadline, fires=error)
}
layers: {
	web: app: {server: custom: {}, clients: files: edgeway: {}}
	files: app: {server: custom: {}, clients: store: custom: totalDeadline: "5s"}
	store: external: {}
}
routes: "POST /files": {path: ["web", "files", "store"], request: upload: {size: "100MB", rate: "1MB"}}
`

// completed is Envoy, whose deadlines start when the request is there whole.
const completed = `
tchain: "v1"
name:   "files"
layers: {
	web: browser: fetch: signal: timeout: 3_700_000
	edge: envoy: {http_connection_manager: common_http_protocol_options: idle_timeout: "60s", route: timeout: "15s", cluster: files: common_http_protocol_options: idle_timeout: "60s"}
	files: app: {server: gohttp: IdleTimeout: "90s", clients: {}}
}
path: ["web", "edge", "files"]
routes: "POST /files": request: upload: {size: "100MB", rate: "1MB"}
`

// wholeTotal makes the total of uploading one that starts when the request is there whole.
var wholeTotal = []string{"files: edgeway: {}", `files: edgeway: total: "50s"`, "@limit(total-deadline, fires", "@limit(total-deadline, complete, fires"}

func answering(response string) []string {
	return []string{`"POST /files": request: upload: {size: "100MB", rate: "1MB"}`, `"GET /chat": {` + response + `}`}
}

var flowVariants = []variant{
	{"upload-cut", completed, nil, "", ""},
	{"upload-cut", completed, []string{"idle_timeout: \"60s\", route", "{idle_timeout: \"60s\", max_stream_duration: \"15s\"}, route"}, "error", "edge answers 504 at 15s"}, // it starts with the request
	{"upload-cut", uploading, wholeTotal, "", ""},
	{"within", uploading, append([]string{"request: upload", `within: "104s", request: upload`}, wholeTotal...), "error", "web can take 150s"},
	{"stream-cut", completed, answering(`response: stream: {first: "1s", silence: "30s", total: "1h"}`), "error", "edge cuts the response at 15s"},
	{"stream-cut", flowing, nil, "", ""},
	{"stream-cut", flowing, []string{`silence: "50s"`, `silence: "60s"`}, "error", "edge cuts the response at 60s"},
	{"stream-cut", flowing, []string{`silence: "50s"`, `silence: "300s", heartbeat: {every: "20s", from: "chat"}`}, "", ""},
	{"stream-cut", flowing, []string{`silence: "50s"`, `silence: "300s", heartbeat: {every: "20s", from: "proxy"}`}, "error", "proxy cuts the response at 70s"},
	{"stream-cut", flowing, []string{`silence: "50s"`, `silence: "65s", heartbeat: {every: "300s", from: "chat"}`}, "error", "is silent for 65s"},
	{"stream-cut", flowing, []string{`silence: "50s"`, `silence: "65s", heartbeat: {every: "65s", from: "chat"}`}, "error", "is silent for 65s"},
	{"stream-cut", flowing, []string{`silence: "50s", `, `heartbeat: {every: "65s", from: "chat"}, `}, "error", "is silent for 65s"},
	{"stream-cut", flowing, []string{`silence: "50s", `, ""}, "", ""},
	{"stream-cut", flowing, []string{`first: "1s", `, "", `proxy_read_timeout: "70s"`, `proxy_read_timeout: "0s"`, `silence: "50s", `, ""}, "", ""},
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", "response: poll: {}"}, "", ""},
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: websocket: silence: "65s"`, `"1.28.0"`, opened}, "error", "the WebSocket of GET /events is silent for 65s"},
	// A ping is answered, so that bytes go both ways on every hop, whoever sends it.
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: websocket: {silence: "300s", ping: "59s"}`, `"1.28.0"`, opened}, "", ""},
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: websocket: {silence: "300s", ping: "59s", total: "15m"}`, `"1.28.0"`, opened}, "", ""},
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: websocket: {silence: "300s", ping: "59s", total: "17m"}`, `"1.28.0"`, opened}, "", ""}, // no AbortSignal ends it
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: websocket: {silence: "300s", ping: "60s"}`, `"1.28.0"`, opened}, "error", "edge closes the upgraded connection at 60s, and the WebSocket of GET /events is silent for 60s"},
	{"stream-cut", flowing, []string{"response: stream: {first: \"1s\", silence: \"50s\", total: \"15m\"}", `response: download: {size: "1GB", rate: "1MB"}`}, "error", "the download of GET /events lasts 1000s"},
	{"stream-cut", flowing, []string{`first: "1s"`, `first: "60s"`}, "error", "edge answers 504 at 60s, and the stream of GET /events waits for its first byte for 60s"},
	{"stream-cut", served, nil, "", ""},
	{"stream-cut", served, []string{"chat: edgeway: {}", `chat: edgeway: told: "10s"`}, "", ""},
	{"stream-cut", served, []string{"chat: edgeway: {}", `chat: edgeway: first: "10s"`}, "error", "web gives up at 10s, and the stream of GET /events waits for its first byte for 30s"},
	{"stream-cut", served, []string{"chat: edgeway: {}", `chat: edgeway: after: "60s"`}, "error", "web gives up at 60s, and the stream of GET /events lasts 900s"},
	{"stream-cut", served, []string{"chat: edgeway: {}", `chat: edgeway: total: "60s"`}, "error", "lasts 900s"},
	{"stream-cut", served, []string{"server: custom: {}\n}", `server: custom: handlerDeadline: "10s"` + "\n}"}, "error", "chat answers 503 at 10s, and the stream of GET /events waits for its first byte for 30s"},
	{"stream-cut", served, []string{"server: custom: {}\n}", `server: custom: writeTotal: "60s"` + "\n}"}, "error", "chat closes the connection at 60s, and the stream of GET /events lasts 900s"},
	{"stream-cut", served, []string{"server: custom: {}\n}", `server: custom: workerKill: "60s"` + "\n}"}, "error", "chat kills the worker at 60s, and the stream of GET /events lasts 900s"},
	{"stream-cut", served, []string{"chat: app: server: custom: {}", `lb: flows: idle: "10s"` + "\n\tchat: app: server: custom: {}", "clients: chat", "clients: lb", `["web", "chat"]`, `["web", "lb", "chat"]`}, "error", "lb closes the connection at 10s, and the stream of GET /events is silent for 20s"},

	{"upload-cut", uploading, nil, "", ""},
	// Go's server begins to count before the body is there; Tomcat's asynchronous time does not.
	{"upload-cut", cleanOf("upload-cut"), []string{`files: external: idleKeepalive: "300s"`, `files: app: server: gohttp: {IdleTimeout: "90s", TimeoutHandler: "60s"}`}, "error", "files answers 503 at 60s, and the upload of POST /files alone takes 100s"},
	{"upload-cut", cleanOf("upload-cut"), []string{`files: external: idleKeepalive: "300s"`, `files: app: server: gohttp: {IdleTimeout: "90s", WriteTimeout: "100s"}`}, "error", "WriteTimeout 100s is over before the upload"},
	{"upload-cut", cleanOf("upload-cut"), []string{`files: external: idleKeepalive: "300s"`, `files: app: server: gohttp: {IdleTimeout: "90s", WriteTimeout: "101s", TimeoutHandler: "101s"}`}, "", ""},
	{"upload-cut", cleanOf("upload-cut"), []string{`files: external: idleKeepalive: "300s"`, `files: app: server: tomcat: {keepAliveTimeout: "90s", async: requestTimeout: "60s"}`}, "", ""},
	{"upload-cut", uploading, []string{"files: edgeway: {}", `files: edgeway: total: "50s"`, "@limit(total-deadline, fires=error)", "@limit(total-deadline, fires=event)"}, "", ""}, // it only tells the program
	{"upload-cut", "bad", []string{`rate: "1MB"`, `rate: "300kB"`}, "error", "the upload of POST /files alone takes 333.334s"},
	{"upload-cut", uploading, []string{"files: edgeway: {}", `files: edgeway: after: "50s"`}, "error", "web gives up at 50s, and the upload of POST /files alone takes 100s"},
	{"upload-cut", uploading, []string{"files: edgeway: {}", `files: edgeway: total: "100s"`}, "error", "web gives up at 100s"},
	{"upload-cut", uploading, []string{"files: edgeway: {}", `files: edgeway: total: "101s"`}, "", ""},
	{"upload-cut", uploading, []string{"server: custom: {}, clients: store", `server: custom: requestBodyRead: "50s", clients: store`}, "", ""},
	{"upload-cut", uploading, []string{"server: custom: {}, clients: store", `server: custom: handlerDeadline: "50s", clients: store`}, "", ""},
	{"upload-cut", uploading, []string{"server: custom: {}, clients: store", `server: custom: workerKill: "50s", clients: store`}, "error", "files kills the worker at 50s"},
	{"upload-cut", uploading, []string{"server: custom: {}, clients: store", `server: deadline: body: "50s", clients: store`, "types: clients", "types: servers: deadline: body?: string @limit(request-body-read, reset=none, fires=close)\ntypes: clients"}, "error", "files closes the connection at 50s"},
	{"upload-cut", uploading, []string{`request: upload: {size: "100MB", rate: "1MB"}`, "within: \"30s\"", "files: edgeway: {}", `files: edgeway: total: "1s"`}, "", ""},
	{"upload-cut", uploading, []string{`size: "100MB"`, `size: "0B"`, "files: edgeway: {}", `files: edgeway: total: "1s"`}, "", ""},

	{"implicit", unconnected, []string{"300_000", "135_000"}, "warning", "the kernel ends it"},
	{"implicit", unconnected, []string{blocking, "requests: timeout: null"}, "warning", "after about 135s"},
	{"implicit", unconnected, []string{blocking, "requests: timeout: null", "price: external", "price: endpoint: addresses: 3\n\tprice: external"}, "", ""}, // web is first: error-room,
	{"implicit", unconnected, []string{blocking, "custom: {}", "price: external", "price: endpoint: addresses: 2\n\tprice: external"}, "warning", "after about 135s"},
}
