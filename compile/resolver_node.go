package compile

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// adjustNode settles what Node's http server makes of its own times: an idle
// connection is kept a buffer longer than announced, and a header limit above
// the request limit changes places with it.
func adjustNode(e *effective) {
	e.nodeBuffer(e.find("keepAliveTimeoutBuffer"))
	e.nodeIdle(e.find("keepAliveTimeout"), e.find("keepAliveTimeoutBuffer"))
	e.nodeSilentIdle(e.find("keepAliveTimeout"), e.find("timeout"))
	e.nodeHeaderFromIdle(e.find("keepAliveTimeout"), e.find("headersTimeout"))
	e.nodeClose(e.find("keepAliveTimeout"))
	e.nodeHeaderDefault(e.find("headersTimeout"), e.find("requestTimeout"))
	e.nodeSwap(e.find("headersTimeout"), e.find("requestTimeout"))
}

// The releases in which the header's timer began at the end of the request
// before (https://github.com/nodejs/node/issues/27363), and until when it was
// 40 s by default (https://github.com/nodejs/node/pull/30071).
const nodeHeaderFromIdleSince, nodeHeaderFromIdleUntil, nodeHeader40Until = "10.14.0", "12.19.0", "12"

// nodeHeaderFromIdle: there a shorter header limit is what ends an idle connection.
func (e *effective) nodeHeaderFromIdle(idle, header *setting) {
	if e.version == "" || !atLeast(e.version, nodeHeaderFromIdleSince) || atLeast(e.version, nodeHeaderFromIdleUntil) {
		return
	}
	if !header.written() && !atLeast(e.version, nodeHeader40Until) {
		header.sets(int64(40_000), "40000")
		header.origin.Text = header.text
	}
	if !idle.finite() || !header.finite() || header.d >= idle.d {
		return
	}
	idle.d, idle.text, idle.origin = header.d, header.text, header.origin
	idle.origin.Note = "before " + nodeHeaderFromIdleUntil + " it began at the end of the request before"
}

// nodeClosesIdle is the release since which server.close() ends idle connections;
// before, it waits for them: https://nodejs.org/api/http.html#serverclosecallback.
const nodeClosesIdle = "19"

// nodeClose makes the idle time one for stopping, too.
func (e *effective) nodeClose(idle *setting) {
	if e.version == "" || atLeast(e.version, nodeClosesIdle) || idle == nil {
		return
	}
	f := *idle.field
	f.Limits = append(slices.Clone(f.Limits), LimitSpec{Kind: chain.Drain, Side: chain.Answering, Start: chain.AtBodyEnd, End: chain.AtBodyEnd, Fires: chain.FiresClose})
	idle.field = &f
}

// The releases since which the buffer is a setting (https://github.com/nodejs/node/pull/59243),
// of the line of 22 and of all after 23.
const nodeBufferSince22, nodeBufferSince = "22.19", "24.6"

// nodeBuffer: before, the buffer is a constant, and what is written of it is read by nobody.
func (e *effective) nodeBuffer(buffer *setting) {
	if buffer == nil || e.version == "" || atLeast(e.version, nodeBufferSince) || atLeast(e.version, nodeBufferSince22) && !atLeast(e.version, "23") {
		return
	}
	if buffer.written() {
		spec, _ := e.defaultOf(frame{}, buffer.field)
		e.remark(chain.NoticeIgnored, buffer, nil, "keepAliveTimeoutBuffer %s acts as %s: node %s has no such setting, which came with %s and %s", buffer.text, spec.Value, e.version, nodeBufferSince22, nodeBufferSince)
		buffer.take(buffer.field, spec.Value)
		buffer.origin.Text = spec.Value
	}
	buffer.origin.Source = chain.Fixed
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

// nodeSilentIdle: without a keepAliveTimeout, which is then not announced, the
// server's timeout of silence stays on an idle connection.
func (e *effective) nodeSilentIdle(idle, silence *setting) {
	if idle == nil || idle.state != known || idle.d != 0 || !silence.finite() {
		return
	}
	idle.d, idle.text, idle.origin, idle.announced = silence.d, silence.text, silence.origin, chain.Never
	idle.origin.Note = "with keepAliveTimeout 0 it stays on an idle connection"
}

// nodeHeaderDefault: a header limit that is not written is at most the request's,
// 0 included, which is none (https://nodejs.org/api/http.html#serverheaderstimeout).
// That is of a requestTimeout given to createServer; whoever assigns the property
// later leaves the header's as it was.
func (e *effective) nodeHeaderDefault(header, request *setting) {
	since := e.version == "" || atLeast(e.version, "19.4") || atLeast(e.version, "18.14") && !atLeast(e.version, "19")
	if !since || header == nil || header.written() || !request.written() || request.state != known || request.d >= header.d {
		return
	}
	header.becomes(request, "headersTimeout not set: no longer than requestTimeout")
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
