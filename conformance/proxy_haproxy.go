package conformance

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

const haproxyKey = "haproxy"

var haproxyProduct = proxyProduct{
	path:    "/usr/sbin/haproxy",
	version: []string{"-v"},
	prepare: func(block map[string]any, dir string, port int, to upstreamAddress) (*exec.Cmd, error) {
		conf := filepath.Join(dir, "haproxy.cfg")
		return exec.Command("/usr/sbin/haproxy", "-db", "-f", conf), writeConf(conf, haproxyConf(block, port, to))
	},
	account: haproxyAccount,
}

// haproxyConf is the whole configuration: the blocks as they stand, keyword by
// keyword, with a server line at the end.
func haproxyConf(block map[string]any, port int, to upstreamAddress) string {
	server := "server one " + to.hostPort
	if to.tls {
		server += " ssl verify none"
	}
	backend, _ := block["backend"].(map[string]any)
	return fmt.Sprintf(`global
	log stdout format raw local0
	nbthread 1
%s
defaults
	mode http
	log global
	option dontlognull
%s
frontend front
	bind 127.0.0.1:%d
	log-format "%%HP|%%ts|%%rc|end"
	default_backend back
%s
backend back
%s	%s
`, haproxyLines(block["global"]), haproxyLines(block["defaults"]), port, haproxyLines(block["frontend"]), haproxyLines(backend[upstreamLayer]), server)
}

func haproxyLines(block any) string {
	all, _ := block.(map[string]any)
	out := ""
	for _, name := range sortedKeys(all) {
		switch v := all[name].(type) {
		case map[string]any:
			line := "\t" + name
			for _, inner := range sortedKeys(v) {
				switch {
				case v[inner] == true: // an option that is on
					out += fmt.Sprintf("\t%s %s\n", name, inner)
				case name == "default-server":
					line += fmt.Sprintf(" %s %v", inner, v[inner])
				default:
					out += fmt.Sprintf("\t%s %s %v\n", name, inner, v[inner])
				}
			}
			if name == "default-server" {
				out += line + "\n"
			}
		case []any:
			out += "\t" + name + " " + strings.Trim(fmt.Sprint(v), "[]") + "\n"
		default:
			out += fmt.Sprintf("\t%s %v\n", name, v)
		}
	}
	return out
}

// haproxyFired is the timeout that a termination state means: who ended the
// session, in capitals if it was not a timer, and in which phase.
var haproxyFired = map[string]string{
	"sC": "timeout.connect", "sH": "timeout.server", "sD": "timeout.server", "sQ": "timeout.queue",
	"cR": "timeout.http-request", "cH": "timeout.client", "cD": "timeout.client",
}

// haproxyAccount counts attempts as %rc does: the connections that were tried
// again, and the first one.
func haproxyAccount(log string) (int, string, bool) {
	for line := range strings.Lines(log) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 4 || fields[0] != "/measured" {
			continue
		}
		retries := 0
		if _, err := fmt.Sscan(strings.TrimPrefix(fields[2], "+"), &retries); err != nil {
			return 0, "", false
		}
		return retries + 1, haproxyFired[fields[1]], true
	}
	return 0, "", false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
