package check_test

// probed is the example whose health check waits for nobody, with work of its own.
func probed(more ...string) []string {
	return append([]string{"clients: db", `work: max: "25s", clients: db`}, more...)
}

const stock = `"GET /price": path: ["web", "api", "db"]`

// probeVariants are those of what answers a health check, and of what holds the workers that would.
var probeVariants = []variant{
	// A dependency that the answer does not wait for decides nothing; of several the gravest is told.
	{"probe", "bad", []string{"clients: db", "calls: [{db: background: true}], clients: db", `path: ["api", "db"]`, `path: ["api"]`, `["web", "api", "db"]`, `["web", "api"]`}, "", ""},
	{"probe", "bad", []string{"clients: db", "calls: [{db: fallback: true}], clients: db", `path: ["api", "db"]`, `path: ["api"]`, `["web", "api", "db"]`, `["web", "api"]`}, "", ""},
	{"probe", "bad", []string{"clients: db", `calls: [{cache: {}}, {db: {}}], clients: cache: custom: totalDeadline: "1s", clients: db`, "db: external: {}", "db: external: {}\n\tcache: external: {}", `path: ["api", "db"]`, `path: ["api"]`, `["web", "api", "db"]`, `["web", "api"]`}, "error", "after waiting for db, which may take 8s"},
	{"probe", "bad", []string{`custom: totalDeadline: "8s"`, `custom: {dns: "1s", connect: "1s"}`}, "error", "which may take for ever"},
	// The path is answered by the layer that is asked, as ServeMux finds it.
	{"probe", "bad", []string{`path: ["api", "db"]`, `path: ["web", "api", "db"]`}, "error", "api answers /health after waiting for db"},
	{"probe", "bad", []string{`"GET /health": path`, `"GET /health/{what}": path`}, "", ""},
	{"probe", "bad", []string{`path: "/health", timeout`, `path: "/health/x", timeout`, `"GET /health": path`, `"GET /health/{$}": path`}, "", ""},
	{"probe", "bad", []string{`path: "/health", timeout`, `path: "/health/db/x", timeout`, `"GET /health": path`, `"GET /health/{what...}": path`}, "error", "may take 8s"},

	// The longest request is told, wherever its route stands, and the first of those alike.
	{"probe", "clean", probed(stock, stock+"\n\t"+`"GET /stock": {path: ["web", "api", "db"], at: api: app: work: max: "1s"}`), "warning", "hold them for up to 25s"},
	{"probe", "clean", probed(stock, `"GET /stock": {path: ["web", "api", "db"], at: api: app: work: max: "1s"}`+"\n\t"+stock), "warning", "hold them for up to 25s"},
	{"probe", "clean", probed(stock, stock+"\n\t"+`"GET /stock": path: ["web", "api", "db"]`), "warning", "hold them for up to"},
	// One route without a rate, and the rate of the others says nothing.
	{"probe", "clean", probed(stock, stock+"\n\t"+`"GET /stock": {tps: 0.1, path: ["web", "api", "db"]}`), "warning", "hold them for up to"},
	// A route with two entrances has its rate once.
	{"probe", "clean", []string{`totalDeadline: "8s"`, `totalDeadline: "25s"`, stock, `"GET /price": {tps: 0.4, paths: {web: ["web", "api", "db"], phone: ["phone", "api", "db"]}}`, "web: browser", "phone: browser: fetch: signal: timeout: 30_000\n\tweb: browser"}, "", ""},
	{"probe", "clean", []string{`totalDeadline: "8s"`, `totalDeadline: "25s"`, stock, `"GET /price": {tps: 0.8, paths: {web: ["web", "api", "db"], phone: ["phone", "api", "db"]}}`, "web: browser", "phone: browser: fetch: signal: timeout: 30_000\n\tweb: browser"}, "error", ""},
	{"probe", "clean", probed("livenessProbe", "readinessProbe"), "warning", "takes every instance of api out of use"},
}
