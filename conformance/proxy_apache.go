package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const apacheKey = "apacheHttpd"

var apacheProduct = proxyProduct{
	path:    "/usr/sbin/apache2",
	version: []string{"-v"},
	prepare: func(block map[string]any, dir string, port int, to upstreamAddress) (*exec.Cmd, error) {
		conf := filepath.Join(dir, "httpd.conf")
		return exec.Command("/usr/sbin/apache2", "-D", "FOREGROUND", "-f", conf), writeConf(conf, apacheConf(block, dir, port, to))
	},
	account: apacheAccount,
}

// apacheConf is the whole httpd.conf: every setting is a directive, or a
// parameter of ProxyPass.
func apacheConf(block map[string]any, dir string, port int, to upstreamAddress) string {
	var lines, params strings.Builder
	for _, name := range sortedKeys(block) {
		switch v := block[name].(type) {
		case map[string]any:
			if name == "RequestReadTimeout" {
				lines.WriteString(name)
				for _, stage := range sortedKeys(v) {
					fmt.Fprintf(&lines, " %s=%v", stage, v[stage])
				}
				lines.WriteString("\n")
				continue
			}
			worker, _ := v[upstreamLayer].(map[string]any)
			for _, param := range sortedKeys(worker) {
				fmt.Fprintf(&params, " %s=%v", param, worker[param])
			}
		default:
			fmt.Fprintf(&lines, "%s %v\n", name, v)
		}
	}
	user, scheme := "", "http"
	if os.Getuid() == 0 {
		user = "User www-data\nGroup www-data\n"
	}
	if to.tls {
		scheme = "https"
		lines.WriteString("SSLProxyEngine on\nSSLProxyVerify none\nSSLProxyCheckPeerName off\n")
	}
	modules := ""
	for _, m := range []string{"mpm_event", "authz_core", "reqtimeout", "proxy", "proxy_http", "socache_shmcb", "ssl"} {
		modules += fmt.Sprintf("LoadModule %s_module /usr/lib/apache2/modules/mod_%[1]s.so\n", m)
	}
	return fmt.Sprintf(`%sServerRoot %[2]s
DefaultRuntimeDir %[2]s
PidFile %[2]s/pid
ServerName localhost
Listen 127.0.0.1:%d
%sStartServers 1
ServerLimit 1
ThreadsPerChild 8
MaxRequestWorkers 8
MinSpareThreads 1
MaxSpareThreads 8
LogLevel warn proxy:info proxy_http:info
ErrorLog /dev/stdout
ErrorLogFormat "error|%%m|%%E|%%M"
LogFormat "access|%%U|%%>s" tchain
CustomLog /dev/stdout tchain
%sProxyPass / %s://%s/%s
`, modules, dir, port, user, lines.String(), scheme, to.hostPort, params.String())
}

// apacheAccount: a plain ProxyPass calls once. The log of errors names the error
// of the system; where it is a timeout, the words before it say of what.
func apacheAccount(log string) (attempts int, fired string, ok bool) {
	for line := range strings.Lines(log) {
		switch {
		case strings.HasPrefix(line, "access|/measured|"):
			return 1, fired, true
		case strings.Contains(line, "SSL Handshake"):
			fired = "timeout"
		case !strings.Contains(line, "timed out") && !strings.Contains(line, "timeout specified has expired"):
		case strings.Contains(line, "AH00957"):
			fired = "connectiontimeout"
		default:
			fired = "timeout"
		}
	}
	return 0, "", false
}
