package compile

import (
	"regexp"

	"tchain.dev/tchain/chain"
)

// gatewayDuration is what the API server lets in.
var gatewayDuration = regexp.MustCompile(`^([0-9]{1,5}(h|m|s|ms)){1,4}$`)

// adjustGatewayAPI: decimals and a backendRequest above request are refused by
// the API server; what is not written is left to the implementation.
func adjustGatewayAPI(e *effective) {
	request, backend := e.find("timeouts.request"), e.find("timeouts.backendRequest")
	for _, s := range []*setting{request, backend, e.find("retry.backoff")} {
		if s.written() && s.state == known && !gatewayDuration.MatchString(s.text) {
			e.remark(chain.NoticeRejected, s, nil, "%s %q is refused: a Gateway API duration is whole numbers of at most five digits with h, m, s or ms", s.origin.Name, s.text)
			s.mute()
			s.state = unset
		}
	}
	if request.finite() && backend.finite() && backend.d > request.d {
		e.remark(chain.NoticeRejected, backend, request, "backendRequest %s is refused: it is longer than request %s", backend.text, request.text)
		backend.mute()
	}
	if request.state == unset {
		request.mute()
		e.open = append(e.open, "timeouts.request is not set: the gateway's implementation decides")
	}
	if backend.state == unset {
		backend.mute()
	}
}
