package compile

import (
	"fmt"

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
	in.oddVersions(&out)
	boot := in.bootReading(&out, clientPairs)
	builder, factory := in.find("builder.connectTimeout"), in.find("factory.readTimeout")
	connect := out.contest("connect and TLS handshake together", builder.origin, bootReasons,
		contender{hc5Value: builder.hc5()}, strongest(boot.connect, byHand), rest(boot.connect))
	connect.by(out.Limits, builder)
	out.Limits = apart(out.Limits, factory)
	if read := out.contest("read, by Spring's factory", factory.origin, bootReasons, contender{hc5Value: factory.hc5()}, strongest(boot.read, byHand), rest(boot.read)); read != nil {
		in.factoryRead(&out, read)
	}
	in.requestTimeout(&out)
	out.Retry, out.Resend = in.jdkRetries()
	return out
}

// Why a value wins or loses where Spring Boot's properties set a factory.
const byHand = "what it would set is written by hand"

var bootReasons = []string{
	"it is written by hand, which beats Spring Boot's properties",
	"Spring Boot's property sets it, and nothing is written by hand",
	"",
	"nothing sets it",
}

// strongest is the first of the values of properties, rest the one after it.
func strongest(values []*hc5Value, loses string) contender {
	return contender{hc5Value: first(values...), loses: loses}
}

func rest(values []*hc5Value) contender {
	if len(values) < 2 {
		return contender{}
	}
	return contender{values[1], values[0].origin.Name + " is of the client's own group, which comes first", true}
}

// factoryRead is the limit that the factory's readTimeout is: of the whole
// exchange since Spring 6.2, before that of the header. A zero fails at once until
// 7.0.10, which takes it for none.
func (in clientInput) factoryRead(out *clientOutput, read *hc5Value) {
	l := read.limit(chain.TotalDeadline)
	spring := in.spring()
	d := &out.Derived[len(out.Derived)-1]
	zero := !read.unknown && read.d == 0
	if zero && !atLeast(spring, "7.0.10") {
		l.Bound, l.Why, l.Zero = 0, "", false
		d.Value = 0
		d.Why += "; before Spring 7.0.10 a 0 fails at once"
	}
	if !atLeast(spring, "6.2") {
		l.Kind, l.End = chain.ResponseHeader, chain.AtHeaderEnd
		d.Why += "; before Spring 6.2 it ends with the response's header"
		if zero {
			out.Notices = append(out.Notices, chain.Notice{Kind: chain.NoticeRejected, Origin: l.Origin, Message: l.Origin.Name + ": Spring before 6.2 does not take " + l.Origin.Text})
		}
	}
	if zero {
		in.springDecides(out, "7.0.10", "a read time of 0 is no limit", "it fails at once")
	}
	in.springDecides(out, "6.2.0", "the factory's read time bounds the whole exchange", "it ends with the response's header")
	out.Limits = append(out.Limits, *l)
}

// springDecides notes that a Spring version leaves open on which side of a
// boundary it is.
func (in clientInput) springDecides(out *clientOutput, boundary, since, before string) {
	n := chain.Notice{Kind: chain.NoticeBoundary}
	r := &hc5Reader{clientInput: in}
	written, boot := r.springValue(), in.versions.boot
	switch {
	case written.known():
		if !tooCoarse(written.text(), boundary) {
			return
		}
		n.Origin, n.Message = written.Origin, written.name()+" "+written.text()+" is too coarse"
	case boot.known():
		points := leftOpen(bootPoints(), boot.text())
		if len(points) == 0 || atLeast(springOfBoot(points[0]), boundary) == atLeast(springOfBoot(points[len(points)-1]), boundary) {
			return
		}
		n.Origin, n.Message = boot.Origin, boot.name()+" "+boot.text()+" is too coarse"
	default:
		n.Kind, n.Origin = chain.NoticeImplicit, in.itself()
		n.Message = "version of Spring is open"
	}
	n.Message += fmt.Sprintf(": from Spring %s on %s, before %s", boundary, since, before)
	out.Notices = append(out.Notices, n)
}

// itself is the client as what a finding is about.
func (e *effective) itself() chain.Origin {
	return chain.Origin{Source: chain.Default, Layer: e.layer, Setting: settingPath(e.path), ID: e.typ.Key, Name: e.typ.Key, Product: e.product(), Pos: e.pos}
}

// requestTimeout is the limit that HttpRequest.timeout is: it ends with the
// header, and since JDK 26 with the body.
func (in clientInput) requestTimeout(out *clientOutput) {
	timeout := in.find("request.timeout")
	if !timeout.written() {
		return
	}
	why := "it ends with the response's header before JDK 26"
	if atLeast(in.version, "26") {
		why = "it covers the response's body since JDK 26"
		for i := range out.Limits {
			if l := &out.Limits[i]; l.Origin.Setting == timeout.origin.Setting {
				l.Kind, l.End = chain.AttemptDeadline, chain.AtBodyEnd
			}
		}
	}
	out.contest("HttpRequest.timeout, for each attempt", timeout.origin, []string{why, ""}, contender{hc5Value: timeout.hc5()})
	if in.version == "" {
		n := chain.Notice{Kind: chain.NoticeImplicit, Origin: timeout.origin, Winner: chain.Origin{Setting: settingPath(in.path) + ".version", Name: "version", Text: "26"}}
		n.Message = "version of " + in.typ.Key + " is open: from 26 on request.timeout covers the response's body, before it ends with the header"
		out.Notices = append(out.Notices, n)
	}
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
	in.oddVersions(&out)
	boot := in.bootReading(&out, clientPairs)
	in.connectionTime(&out, "connect", "connectTimeout", "sun.net.client.defaultConnectTimeout", boot.connect)
	in.connectionTime(&out, "read, and each read of the TLS handshake", "readTimeout", "sun.net.client.defaultReadTimeout", boot.read)
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

// connectionTime settles one of the times of a connection, which falls back to
// the JVM's.
func (in clientInput) connectionTime(out *clientOutput, timer, name, jvm string, boot []*hc5Value) {
	own, factory, system := in.find(name), in.find("factory."+name), in.find(jvm)
	var byFactory *hc5Value
	if factory.written() && factory.meaning() != "off" {
		byFactory = factory.hc5()
	}
	winner := out.contest(timer, own.origin, []string{
		"it is set on the connection itself, which beats the factory's",
		"Spring's factory sets it on each connection",
		"Spring Boot's property sets it at the factory",
		"",
		"the connection sets none, so the JVM's counts",
		"nothing sets it",
	},
		contender{hc5Value: own.hc5()}, contender{hc5Value: byFactory, loses: "the connection sets its own"},
		strongest(boot, byHand), rest(boot), contender{system.hc5(), "it is for connections that set none", true},
	)
	if system.hc5() == nil || winner == nil || winner.origin.Setting != system.origin.Setting {
		winner.by(out.Limits, own)
	}
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
