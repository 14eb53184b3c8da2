package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// stack is the i-th of a fleet: five layers and three routes, as a team would
// write them. Every twentieth has a limit that fires too late, and unless all of
// them are to be readable every twentieth a name that does not exist.
func stack(i int, readable bool) []byte {
	read, timeout := "7s", "timeout"
	switch i % 20 {
	case 7:
		read = "70s"
	case 13:
		if !readable {
			timeout = "timeuot"
		}
	}
	return fmt.Appendf(nil, `// The pay service number %[1]d.
package s%04[1]d

tchain: "v1"
name:   "s%04[1]d"

layers: {
	web: browser: fetch: signal: %[3]s: 44_000
	edge: alb: idle_timeout: 16
	proxy: nginx: server: {
		proxy_connect_timeout: "1s"
		proxy_send_timeout:    "6s"
		proxy_read_timeout:    "%[2]s"
	}
	api: {
		instances: 2
		app: {
			server: gohttp: IdleTimeout: "75s"
			clients: service: gohttp: {
				DefaultTransport: {
					Dialer: Timeout: "1s"
					MaxConnsPerHost: %[4]d
				}
				context: timeout: "5s"
			}
		}
	}
	service: external: latency: p99: "2s"
}

routes: {
	"GET /orders": {path: ["web", "edge", "proxy", "api", "service"], tps: 10}
	"GET /orders/{id}": {path: ["web", "edge", "proxy", "api", "service"], tps: 8}
	"POST /orders": {path: ["web", "edge", "proxy", "api", "service"], tps: 4, idempotent: true}
}
`, i, read, timeout, 100+i%50)
}

// fleet writes stacks, each a package in a directory of its own, with the
// vendored schema that cue vet reads.
func (b *bench) write(name string, files map[string][]byte) (string, error) {
	dir := filepath.Join(b.dir, name)
	var last string
	for file, text := range files {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return "", err
		}
		last = filepath.Dir(path)
	}
	if err := os.MkdirAll(filepath.Join(dir, "cue.mod"), 0o755); err != nil {
		return "", err
	}
	module := []byte("module: \"stacks.example@v0\"\nlanguage: version: \"v0.17.0\"\n")
	if err := os.WriteFile(filepath.Join(dir, "cue.mod", "module.cue"), module, 0o644); err != nil {
		return "", err
	}
	// One stack gets schema and sidecar from tchain; the others a sidecar alike.
	if _, err := run(last, b.tchain, "schema", "vendor"); err != nil {
		return "", err
	}
	side, err := os.ReadFile(filepath.Join(last, "tchain_schema.cue"))
	if err != nil {
		return "", err
	}
	own := []byte("package " + filepath.Base(last) + "\n")
	for file := range files {
		folder := filepath.Join(dir, filepath.Dir(file))
		text := bytes.Replace(side, own, []byte("package "+filepath.Base(folder)+"\n"), 1)
		if err := os.WriteFile(filepath.Join(folder, "tchain_schema.cue"), text, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func (b *bench) stacks(name string, n int, readable bool) (string, error) {
	files := map[string][]byte{}
	for i := range n {
		files[fmt.Sprintf("s%04d/stack.cue", i)] = stack(i, readable)
	}
	return b.write(fmt.Sprintf("%s%d", name, n), files)
}

// routes is one stack with many routes over shared layers, every tenth with a
// time of its own.
func (b *bench) routes(n int) (string, error) {
	text := bytes.NewBuffer(bytes.Replace(stack(0, true), []byte("package s0000"), []byte("package large"), 1))
	text.WriteString("\nroutes: {\n")
	for i := range n {
		more := ""
		if i%10 == 0 {
			more = fmt.Sprintf(", at: proxy: nginx: server: proxy_read_timeout: \"%dms\"", 6500+i%500)
		}
		fmt.Fprintf(text, "\t\"GET /r%d\": {path: [\"web\", \"edge\", \"proxy\", \"api\", \"service\"], tps: 0.001%s}\n", i, more)
	}
	text.WriteString("}\n")
	return b.write(fmt.Sprintf("routes%d", n), map[string][]byte{"large/stack.cue": text.Bytes()})
}
