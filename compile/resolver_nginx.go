package compile

import "tchain.dev/tchain/chain"

// nginxLooksAtMethods is the release since which a POST, LOCK or PATCH that was
// sent is not passed to the next server: https://nginx.org/en/CHANGES, 1.9.13.
const nginxLooksAtMethods = "1.9.13"

// adjustNGINX says where kept upstream connections are asked for and cannot be
// had: with HTTP/1.0 every request is a connection of its own. Before 1.9.13 any
// method is passed to the next server.
func adjustNGINX(e *effective) {
	if next := e.find("proxy_next_upstream"); next != nil && e.version != "" && !atLeast(e.version, nginxLooksAtMethods) {
		next.repeatsAnyMethod()
	}
	keep, protocol := e.find("keepalive"), e.find("proxy_http_version")
	if !keep.written() || keep.state != known || keep.number() == 0 || protocol == nil || protocol.text != "1.0" {
		return
	}
	e.remark(chain.NoticeIgnored, keep, protocol, "keepalive %s has no effect: towards the upstream NGINX speaks HTTP/1.0, one request a connection; write proxy_http_version: \"1.1\"", keep.text)
}
