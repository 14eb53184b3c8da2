package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// access is the line of the access log about one path, by variable. NGINX writes
// it when it is done with the request, which may be after the client has it.
func (n *NGINXProcess) access(path string) (map[string]string, error) {
	for range 300 {
		text, err := os.ReadFile(filepath.Join(n.Dir, "access.log"))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Split(strings.TrimSpace(line), "|")
			if fields[0] != path || len(fields) != len(nginxLog) {
				continue
			}
			out := map[string]string{}
			for i, name := range nginxLog {
				out[name] = fields[i]
			}
			return out, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, fmt.Errorf("nginx has not logged %s after 3 s", path)
}

var nginxError = regexp.MustCompile(`\[error\] \d+#\d+: \*\d+ (.*?), client: .*request: "\S+ (\S+)`)

// failures are what the error log says about one path, in order.
func (n *NGINXProcess) failures(path string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(n.Dir, "error.log"))
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if m := nginxError.FindStringSubmatch(line); m != nil && m[2] == path {
			out = append(out, m[1])
		}
	}
	return out, nil
}

// attemptsOf counts the servers that were tried. Where all are ejected NGINX
// logs the name of the group in place of an address.
func attemptsOf(access map[string]string) int {
	n := 0
	for _, addr := range strings.Fields(strings.NewReplacer(",", " ", " : ", " ").Replace(access["$upstream_addr"])) {
		if strings.Contains(addr, ":") {
			n++
		}
	}
	return n
}

// firedIn names the setting whose time was up in a line of the error log; "" if
// something else went wrong.
func firedIn(line string) string {
	if !strings.HasPrefix(line, "upstream timed out") {
		return ""
	}
	for _, phase := range []struct{ while, setting string }{
		{"while connecting to upstream", "proxy_connect_timeout"},
		{"while SSL handshaking to upstream", "proxy_connect_timeout"},
		{"while sending request to upstream", "proxy_send_timeout"},
		{"while reading response header from upstream", "proxy_read_timeout"},
		{"while reading upstream", "proxy_read_timeout"},
	} {
		if strings.HasSuffix(line, phase.while) {
			return phase.setting
		}
	}
	return "unknown: " + line
}
