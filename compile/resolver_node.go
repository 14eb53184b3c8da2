package compile

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// adjustNode settles what Node's http server makes of its own times: an idle
// connection is kept a buffer longer than announced, and a header limit above
// the request limit changes places with it.
func adjustNode(e *effective) {
	e.nodeIdle(e.find("keepAliveTimeout"), e.find("keepAliveTimeoutBuffer"))
	e.nodeSwap(e.find("headersTimeout"), e.find("requestTimeout"))
}

// nodeIdle announces whole seconds and adds the buffer, which is there since the release that has it.
func (e *effective) nodeIdle(idle, buffer *setting) {
	if idle == nil || buffer == nil || idle.state != known || buffer.state != known || idle.d == 0 {
		return
	}
	idle.announced = idle.d.Truncate(time.Second)
	if buffer.d == 0 {
		return
	}
	idle.d += buffer.d
	idle.origin.Note = fmt.Sprintf("announced as %s, kept %s longer", chain.Format(idle.announced), chain.Format(buffer.d))
}

// nodeSwap: of two positive values the header has the smaller and the whole
// request the larger one, whatever was written.
func (e *effective) nodeSwap(header, request *setting) {
	if !header.finite() || !request.finite() || header.d <= request.d {
		return
	}
	message := "headersTimeout %s is above requestTimeout %s: assigned as properties the two change places silently, as options of createServer they are refused"
	at := header
	if !header.written() {
		at = request
	}
	e.remark(chain.NoticeIgnored, at, nil, message, chain.Format(header.d), chain.Format(request.d))
	header.d, request.d = request.d, header.d
	header.text, request.text = request.text, header.text
	header.origin, request.origin = request.origin, header.origin
}
