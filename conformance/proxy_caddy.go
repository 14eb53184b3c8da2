package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const caddyKey = "caddy"

var caddyProduct = proxyProduct{
	path:    "/usr/bin/caddy",
	version: []string{"version"},
	prepare: func(block map[string]any, dir string, port int, to upstreamAddress) (*exec.Cmd, error) {
		conf := filepath.Join(dir, "Caddyfile")
		cmd := exec.Command("/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", conf)
		// It keeps files where these lead.
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd, writeConf(conf, caddyFile(block, port, to))
	},
	account: caddyAccount,
}

// caddyFile is the whole Caddyfile: a block of settings is a block of directives.
func caddyFile(block map[string]any, port int, to upstreamAddress) string {
	global := map[string]any{}
	for name, v := range block {
		if name != "reverse_proxy" && name != "version" {
			global[name] = v
		}
	}
	byPeer, _ := block["reverse_proxy"].(map[string]any)
	proxy, _ := byPeer[upstreamLayer].(map[string]any)
	if proxy == nil {
		proxy = map[string]any{}
	}
	if to.tls {
		transport, _ := proxy["transport"].(map[string]any)
		if transport == nil {
			transport = map[string]any{"http": map[string]any{}}
		}
		transport["http"].(map[string]any)["tls_insecure_skip_verify"] = true
		proxy["transport"] = transport
	}
	return fmt.Sprintf(`{
	admin off
	auto_https off
	debug
	log {
		output stdout
		format json
	}
%s}
http://:%d {
	bind 127.0.0.1
	log
	reverse_proxy %s {
%s	}
}
`, caddyLines(global), port, to.hostPort, caddyLines(proxy))
}

func caddyLines(block map[string]any) string {
	out := ""
	for _, name := range sortedKeys(block) {
		inner, isBlock := block[name].(map[string]any)
		switch {
		case name == "transport": // transport http { … }
			http, _ := inner["http"].(map[string]any)
			out += "transport http {\n" + caddyLines(http) + "}\n"
		case isBlock:
			out += name + " {\n" + caddyLines(inner) + "}\n"
		case block[name] == true:
			out += name + "\n"
		default:
			out += fmt.Sprintf("%s %v\n", name, block[name])
		}
	}
	return out
}

// caddyFired is the setting that the text of an error means.
var caddyFired = []struct{ part, setting string }{
	{"dial tcp", "dial_timeout"},
	{"timeout awaiting response headers", "response_header_timeout"},
	{"TLS handshake timeout", "tls_timeout"},
	{"write tcp", "write_timeout"},
	{"read tcp", "read_timeout"},
}

// caddyAccount counts the round trips, and takes the setting from the last
// error: of a round trip, or of the body that was passed on.
func caddyAccount(log string) (attempts int, fired string, ok bool) {
	for line := range strings.Lines(log) {
		var entry struct {
			Msg, Error string
			Request    struct{ URI string }
		}
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue
		}
		about := entry.Request.URI == "/measured"
		switch {
		case about && entry.Msg == "upstream roundtrip":
			attempts++
			fired = caddySetting(entry.Error)
		case entry.Msg == "reading from backend" || entry.Msg == "aborting with incomplete response":
			if setting := caddySetting(entry.Error); setting != "" {
				fired = setting
			}
		case about && entry.Msg == "handled request":
			return attempts, fired, true
		}
	}
	return 0, "", false
}

func caddySetting(text string) string {
	for _, known := range caddyFired {
		if strings.Contains(text, known.part) && strings.Contains(text, "timeout") {
			return known.setting
		}
	}
	return ""
}
