package compile

import (
	"tchain.dev/tchain/chain"
)

// bootGraceful is the release of Spring Boot since which server.shutdown is graceful
// unless it is written, and bootPhase how long requests then may finish.
const (
	bootGraceful = "3.4.0"
	bootPhase    = "30s"
)

// adjustSpringServer settles how long a server that Spring Boot embeds lets requests
// finish when it stops: not at all, or for one phase of the shutdown, and which of
// Tomcat's two times a request's body has. Where neither
// the setting nor Boot's release is written, nothing is known of it.
func adjustSpringServer(e *effective) {
	if upload, off := e.find("connectionUploadTimeout"), e.find("disableUploadTimeout"); upload.written() && off.on() {
		e.remark(chain.NoticeIgnored, upload, e.find("connectionTimeout"), "connectionUploadTimeout %s has no effect: disableUploadTimeout is true, and a body has connectionTimeout", upload.text)
	}
	e.tomcatKeepsNone()
	how, phase := e.find("shutdown"), e.find("timeoutPerShutdownPhase")
	if how.state == unknown || phase.state == unknown {
		return // which is listed
	}
	boot := e.runtime.boot
	if !how.written() {
		switch {
		case boot == nil && phase.written():
			e.open = append(e.open, "shutdown is not written, nor runtime: springBoot: whether requests in flight may finish when "+e.layer+" stops is not known")
			fallthrough
		case boot == nil:
			phase.mute()
			return
		case tooCoarse(boot.text(), bootGraceful):
			e.open = append(e.open, "Spring Boot "+boot.text()+" may be before 3.4, which stops at once unless shutdown is graceful: "+e.layer+" is taken to let requests finish")
		}
		how.state, how.text, how.raw = known, "graceful", "graceful"
		if !atLeast(boot.text(), bootGraceful) && !tooCoarse(boot.text(), bootGraceful) {
			how.text, how.raw = "immediate", "immediate"
		}
		how.origin.Source, how.origin.Text, how.origin.Note = chain.Default, how.text, "of Spring Boot "+boot.text()
	}
	switch {
	case how.text == "immediate":
		if phase.written() {
			e.remark(chain.NoticeIgnored, phase, how, "timeoutPerShutdownPhase %s is no time for requests in flight: shutdown is immediate", phase.text)
		}
		phase.state, phase.d, phase.raw, phase.text = known, 0, "0s", "0s"
		phase.origin = how.origin
	case !phase.written():
		phase.sets(bootPhase, bootPhase)
		phase.origin.Source, phase.origin.Text = chain.Default, bootPhase
	}
}

// tomcatKeepsNone takes the time of idle connections out of force where Tomcat closes each
// after its first request: maxKeepAliveRequests is 0 or 1.
func (e *effective) tomcatKeepsNone() {
	most, idle := e.find("maxKeepAliveRequests"), e.find("keepAliveTimeout")
	if e.typ.Key != "tomcat" || most == nil || most.state != known || most.number() < 0 || most.number() > 1 {
		return
	}
	if idle.written() {
		e.remark(chain.NoticeIgnored, idle, most, "keepAliveTimeout %s has no effect: maxKeepAliveRequests %s closes each connection after its request", idle.text, most.text)
	}
	idle.mute()
	idle.field.Flags = nil // nor is it announced
}
