package compile

import (
	"strings"

	"tchain.dev/tchain/chain"
)

// nginxLooksAtMethods is the release since which a POST, LOCK or PATCH that was
// sent is not passed to the next server: https://nginx.org/en/CHANGES, 1.9.13.
const nginxLooksAtMethods = "1.9.13"

// nginxPasses are the ways of handing on that have directives of their own.
var nginxPasses = []string{"grpc_", "fastcgi_", "uwsgi_", "scgi_", "memcached_"}

// undescribedNGINX answers a directive of another module than that of proxy_pass: the
// one of proxy_pass with nearly the same name means nothing to it.
func undescribedNGINX(name string) string {
	for _, pass := range nginxPasses {
		if strings.HasPrefix(name, pass) {
			return "the " + pass + "* directives are not described, and proxy_* ones say nothing about " + pass + "pass; describe the layer as custom"
		}
	}
	return ""
}

// asksIn notes that nothing can be upgraded in HTTP/1.0: a server has to ignore the
// Upgrade of such a request, https://www.rfc-editor.org/rfc/rfc9110#section-7.8.
func (e *effective) asksIn(protocol *setting) {
	if protocol != nil && protocol.state == known && protocol.text == "1.0" {
		e.noUpgrade = protocol
	}
}

// adjustNGINX says where kept upstream connections are asked for and cannot be
// had: with HTTP/1.0 every request is a connection of its own. Before 1.9.13 any
// method is passed to the next server.
func adjustNGINX(e *effective) {
	if next := e.find("proxy_next_upstream"); next != nil && e.version != "" && !atLeast(e.version, nginxLooksAtMethods) {
		next.repeatsAnyMethod()
	}
	keep, protocol := e.find("keepalive"), e.find("proxy_http_version")
	e.asksIn(protocol)
	if !keep.written() || keep.state != known || keep.number() == 0 || protocol == nil || protocol.text != "1.0" {
		return
	}
	e.remark(chain.NoticeIgnored, keep, protocol, "keepalive %s has no effect: towards the upstream NGINX speaks HTTP/1.0, one request a connection; write proxy_http_version: \"1.1\"", keep.text)
}
