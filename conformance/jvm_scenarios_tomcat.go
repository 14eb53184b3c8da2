package conformance

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// A tomcatScenario is one connection to an embedded Tomcat. Its settings are the
// server's block of a stack, and the prediction is the limit that tchain resolves.
type tomcatScenario struct {
	name     string
	settings string
	send     string        // at once
	drip     string        // then one byte of it each 300 ms
	kind     chain.Kind    // the limit that ends the connection; "" is none
	after    time.Duration // what is waited for before that limit starts
	status   int           // the answer before the end; 0 is none
	announce string        // the Keep-Alive header of the answer
}

const (
	tomcatGet  = "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
	tomcatPost = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n"
)

// On tomcat 10.1 and 11: the timeouts are Spring Boot's properties in camel case.
var tomcatScenarios = []tomcatScenario{
	{name: "a connection without a request is closed at connectionTimeout", settings: `{"connectionTimeout": "1s", "keepAliveTimeout": "4s"}`,
		kind: chain.RequestHeaderRead},
	{name: "a header that stops is closed at connectionTimeout", settings: `{"connectionTimeout": "1s", "keepAliveTimeout": "4s"}`,
		send: "GET / HTTP/1.1\r\nHo", kind: chain.RequestHeaderRead},
	{name: "a header that drips restarts connectionTimeout", settings: `{"connectionTimeout": "1s", "keepAliveTimeout": "4s"}`,
		send: "GET / HTTP/1.1\r\nHo", drip: "st: xyz", kind: chain.RequestHeaderRead, after: 6 * 300 * time.Millisecond},
	{name: "a body that stops fails the handler's read at connectionTimeout, which is answered 400 unless the handler does", settings: `{"connectionTimeout": "1s", "keepAliveTimeout": "4s"}`,
		send: tomcatPost + "abc", kind: chain.RequestBodyRead, status: 400},
	{name: "a body that stops fails it at connectionUploadTimeout where disableUploadTimeout is false", settings: `{"connectionTimeout": "4s", "disableUploadTimeout": false, "connectionUploadTimeout": "1s"}`,
		send: tomcatPost + "abc", kind: chain.RequestBodyRead, status: 400},
	{name: "a connectionUploadTimeout alone has no effect on a body that stops", settings: `{"connectionTimeout": "1s", "connectionUploadTimeout": "4s"}`,
		send: tomcatPost + "abc", kind: chain.RequestBodyRead, status: 400},
	{name: "a header that stops has connectionTimeout, whatever connectionUploadTimeout is", settings: `{"connectionTimeout": "1s", "disableUploadTimeout": false, "connectionUploadTimeout": "4s"}`,
		send: "GET / HTTP/1.1\r\nHo", kind: chain.RequestHeaderRead},
	{name: "an idle connection is closed at keepAliveTimeout, which is announced", settings: `{"connectionTimeout": "4s", "keepAliveTimeout": "1s"}`,
		send: tomcatGet, kind: chain.IdleKeepalive, status: 200, announce: "timeout=1"},
	{name: "an idle connection is closed at connectionTimeout where no keepAliveTimeout is set", settings: `{"connectionTimeout": "1s"}`,
		send: tomcatGet, kind: chain.IdleKeepalive, status: 200, announce: "timeout=1"},
	{name: "a handler may run longer than connectionTimeout", settings: `{"connectionTimeout": "1s", "keepAliveTimeout": "1s"}`,
		send: strings.Replace(tomcatGet, "/ ", "/?sleep=2500 ", 1), kind: chain.IdleKeepalive, after: 2500 * time.Millisecond, status: 200, announce: "timeout=1"},
}
