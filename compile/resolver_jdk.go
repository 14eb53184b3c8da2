package compile

import (
	"tchain.dev/tchain/chain"
)

// adjustSocket notes that a socket which is connected by its constructor takes
// no limit for connecting any more.
func adjustSocket(e *effective) {
	constructor, timeout := e.find("constructorConnects"), e.find("connect.timeout")
	if constructor.on() && constructor.state == known && timeout.written() {
		e.remark(chain.NoticeIgnored, timeout, constructor, "connect.timeout %s has no effect: the constructor has connected", timeout.text)
	}
}

// resolveJDKHTTPClient settles what Spring's factory bounds, and what the client
// repeats by itself.
func resolveJDKHTTPClient(in clientInput) clientOutput {
	out := in.Defaults
	connect, read := in.bootTimes(&out, clientPairs)
	connect.by(out.Limits, in.find("builder.connectTimeout"))
	factory := in.find("factory.readTimeout")
	read.by(out.Limits, factory)
	if !factory.written() && read == nil {
		out.Limits = apart(out.Limits, factory)
	}
	if spring := in.spring(); spring != "" && !atLeast(spring, "6.2") {
		for i := range out.Limits {
			l := &out.Limits[i]
			if l.Kind != chain.TotalDeadline {
				continue
			}
			if l.Bound == 0 {
				out.Notices = append(out.Notices, chain.Notice{Kind: chain.NoticeRejected, Origin: l.Origin, Message: l.Origin.Name + ": Spring before 6.2 does not take " + l.Origin.Text})
			}
			l.Kind, l.Start, l.End = chain.ResponseHeader, chain.AtCall, chain.AtHeaderEnd
		}
	}
	if in.version != "" && atLeast(in.version, "26") {
		if t := in.find("request.timeout"); t.written() {
			out.NotChecked = append(out.NotChecked, "request.timeout bounds the response's body too in newer releases than JDK 25: it is taken to end with the header")
		}
	}
	out.Retry, out.Resend = in.jdkRetries()
	return out
}

// jdkRetries is the one repeat: of any request that was not sent because the
// connect was refused or the kernel gave up on it, and of GET and HEAD when the connection breaks before the
// response, be it reused or new.
func (in clientInput) jdkRetries() (transport, stale *chain.Retry) {
	transport = &chain.Retry{
		Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondReset, chain.CondKilled, chain.CondRefused, chain.CondUnanswered},
		OnMethods: []string{"GET", "HEAD"}, Hidden: true,
	}
	if s := in.find("system.jdk.httpclient.enableAllMethodRetry"); s.on() {
		transport.OnMethods = nil
	}
	if s := in.find("system.jdk.httpclient.disableRetryConnect"); s.on() {
		transport.On = transport.On[:2]
	}
	transport = hidden(transport, in.effective)
	stale = &chain.Retry{Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondStale}, OnMethods: transport.OnMethods}
	return transport, stale
}

// resolveHTTPURLConnection settles which of a connection's, the factory's, the
// properties' and the JVM's values is in force, and what is repeated.
func resolveHTTPURLConnection(in clientInput) clientOutput {
	out := in.Defaults
	connect, read := in.bootTimes(&out, clientPairs)
	for _, one := range []struct {
		name string
		boot *hc5Value
	}{{"connectTimeout", connect}, {"readTimeout", read}} {
		own, factory := in.find(one.name), in.find("factory."+one.name)
		v := one.boot
		if factory.written() && factory.meaning() != "off" {
			v = factory.hc5()
		}
		v.by(out.Limits, own)
	}
	all := []string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH"}
	streaming := in.streams()
	if streaming {
		all = all[:4]
	}
	if s := in.find("sun.net.http.retryPost"); s.on() && !streaming {
		all = append(all, "POST")
	}
	r := &chain.Retry{Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondReset, chain.CondKilled}, OnMethods: all, Hidden: true}
	out.Retry = hidden(r, in.effective)
	out.Resend = &chain.Retry{Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondStale}, OnMethods: all}
	return out
}

// streams reports whether bodies are streamed: as written, else as Spring's
// factory does it since 6.1.
func (in clientInput) streams() bool {
	if s := in.find("streaming"); s.written() {
		return s.on()
	}
	factory := len(in.blocks.child("factory")) > 0 || len(in.blocks.child("properties")) > 0 || in.spring() != ""
	return factory && atLeast(in.spring(), "6.1")
}
