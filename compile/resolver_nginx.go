package compile

import "tchain.dev/tchain/chain"

// adjustNGINX says where kept upstream connections are asked for and cannot be
// had: with HTTP/1.0 every request is a connection of its own.
func adjustNGINX(e *effective) {
	keep, protocol := e.find("keepalive"), e.find("proxy_http_version")
	if !keep.written() || keep.state != known || keep.number() == 0 || protocol == nil || protocol.text != "1.0" {
		return
	}
	e.remark(chain.NoticeIgnored, keep, protocol, "keepalive %s has no effect: towards the upstream NGINX speaks HTTP/1.0, one request a connection; write proxy_http_version: \"1.1\"", keep.text)
}
