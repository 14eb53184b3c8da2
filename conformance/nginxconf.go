package conformance

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"tchain.dev/tchain/conformance/fault"
)

// NGINX is the product name of NGINX.
const NGINX = "nginx"

// An NGINXConf is what is proved of an nginx.conf; the rest around it is fixed.
type NGINXConf struct {
	Server   string // what stands in the server block, beside listen
	Upstream string // the upstream blocks, whole
}

// nginxLog are the variables of a line of the access log, parted by "|".
var nginxLog = []string{"$uri", "$status", "$upstream_addr", "$upstream_status", "$upstream_response_time", "$request_time"}

// text is the whole nginx.conf, for a prefix directory and a port.
func (c NGINXConf) text(dir string, port int) string {
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}
	temp := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temp += fmt.Sprintf("\t%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	return fmt.Sprintf(`daemon off;
worker_processes 1;
%[1]spid %[2]s/nginx.pid;
error_log %[2]s/error.log warn;
events { worker_connections 256; }
http {
	log_format tchain '%[3]s';
	access_log %[2]s/access.log tchain;
%[4]s	client_max_body_size 0;
%[5]s
	server {
		listen 127.0.0.1:%[6]d;
%[7]s
	}
}
`, user, dir, strings.Join(nginxLog, "|"), temp, c.Upstream, port, c.Server)
}

// nginxConfOf writes a scenario's settings, or its snippets with the addresses
// of the fault servers in them.
func nginxConfOf(s Scenario, servers []*fault.Server) NGINXConf {
	if s.Snippets != nil {
		return s.Snippets.conf(servers)
	}
	var server, location, upstream, params strings.Builder
	for _, key := range sortedKeys(s.Settings) {
		value := s.Settings[key]
		if param, ok := strings.CutPrefix(key, "upstream.server."); ok {
			fmt.Fprintf(&params, " %s=%s", param, value)
		} else if name, ok := strings.CutPrefix(key, "upstream."); ok {
			fmt.Fprintf(&upstream, "\t\t%s %s;\n", name, value)
		} else if name, ok := strings.CutPrefix(key, "location."); ok {
			fmt.Fprintf(&location, "%s %s; ", name, value)
		} else {
			fmt.Fprintf(&server, "\t\t%s %s;\n", key, value)
		}
	}
	scheme, lines := "http", ""
	for i, f := range servers {
		lines += fmt.Sprintf("\t\tserver %s%s;\n", f.Addr(), params.String())
		if s.Upstreams[i].TLS {
			scheme = "https"
		}
	}
	return NGINXConf{
		Server:   server.String() + fmt.Sprintf("\t\tlocation / { %sproxy_pass %s://api; }", location.String(), scheme),
		Upstream: fmt.Sprintf("\tupstream api {\n%s%s\t}", lines, upstream.String()),
	}
}

func (s Snippets) conf(servers []*fault.Server) NGINXConf {
	order := make([]int, len(s.Addresses))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return len(s.Addresses[order[a]]) > len(s.Addresses[order[b]]) })
	var pairs []string
	for _, i := range order {
		pairs = append(pairs, s.Addresses[i], servers[i].Addr())
	}
	put := strings.NewReplacer(pairs...)
	return NGINXConf{Server: put.Replace(s.Server), Upstream: put.Replace(s.Upstream)}
}
