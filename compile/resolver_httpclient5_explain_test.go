package compile

import (
	"strings"
	"testing"
)

// What is written and has no effect is listed at the timer that it was meant
// for, whatever the reason.
func TestAnEntranceThatIsNotTakenIsListedAsDropped(t *testing.T) {
	const tunnel = "squid"
	for _, row := range []struct{ n, runtime, via, client, timer, want, notice string }{
		{"12: the factory's connectTimeout is gone in Spring 7", `spring: "7.0.9"`, "", `version: "5.5.2", factory: connectTimeout: "2s"`, timerConnect,
			"180s manager.connectionConfig.connectTimeout; not factory.connectTimeout: it is gone since Spring 7.0: the call does not compile", "rejected: factory.connectTimeout is gone since Spring 7.0: the call does not compile"},
		{"14: its readTimeout is not there in 6.1", `spring: "6.1.21"`, "", `version: "5.3.1", factory: readTimeout: "2s"`, timerRead,
			soDefault + "; not factory.readTimeout: it is not there in Spring 6.1, only before and since 6.2: the call does not compile", "rejected: factory.readTimeout is not there in Spring 6.1, only before and since 6.2: the call does not compile"},
		{"and does nothing in 6.0", `spring: "6.0.14"`, "", `version: "5.1.4", factory: readTimeout: "2s"`, timerRead,
			soDefault + "; not factory.readTimeout: before Spring 6.1 the factory only logs that it has no effect", "shadowed: factory.readTimeout 2s is never in force; manager.socketConfig.soTimeout 3m by default wins: before Spring 6.1 the factory only logs that it has no effect"},
		{"16: Spring drops the factory's values", `spring: "6.2.6"`, "", `version: "5.3.1", factory: readTimeout: "2s"`, timerRead,
			soDefault + "; not factory.readTimeout: Spring 6.2.6 with HttpClient 5.3.1 drops the factory's timeouts", "shadowed: factory.readTimeout 2s is never in force"},
		{"there is no ConnectionConfig before 5.2", ``, "", `version: "5.1.4", manager: connectionConfig: connectTimeout: "2s"`, timerConnect,
			"180s manager.connectionConfig.connectTimeout; not manager.connectionConfig.connectTimeout: it is there since 5.2, not in 5.1.4", "rejected: manager.connectionConfig.connectTimeout is there since 5.2, not in 5.1.4"},
		{"nor its socketTimeout", ``, "", `version: "5.1.4", manager: connectionConfig: socketTimeout: "2s"`, timerRead,
			soDefault + "; not manager.connectionConfig.socketTimeout: it is there since 5.2, not in 5.1.4", "rejected: manager.connectionConfig.socketTimeout is there since 5.2, not in 5.1.4"},
		{"nor a TlsConfig", ``, "", `version: "5.1.4", manager: tlsConfig: handshakeTimeout: "2s"`, timerTLS,
			soDefault + "; not manager.tlsConfig.handshakeTimeout: it is there since 5.2, not in 5.1.4", "rejected: manager.tlsConfig.handshakeTimeout is there since 5.2, not in 5.1.4"},
		{"nor an idleTimeout before 5.6", ``, "", `version: "5.5.2", manager: connectionConfig: idleTimeout: "2s"`, timerKeep,
			"180s client.requestConfig.connectionKeepAlive; not manager.connectionConfig.idleTimeout: it is there since 5.6, not in 5.5.2", "rejected: manager.connectionConfig.idleTimeout is there since 5.6, not in 5.5.2"},
		{"which counts from then on if it is shorter", ``, "", `version: "5.6", manager: connectionConfig: idleTimeout: "2s", client: requestConfig: connectionKeepAlive: "30s"`, timerKeep,
			"2s manager.connectionConfig.idleTimeout; not client.requestConfig.connectionKeepAlive: the connection's idleTimeout is shorter", ""},
		{"and not if it is longer", ``, "", `version: "5.6", manager: connectionConfig: idleTimeout: "60s", client: requestConfig: connectionKeepAlive: "30s"`, timerKeep,
			"30s client.requestConfig.connectionKeepAlive; not manager.connectionConfig.idleTimeout: it is no shorter", ""},
		{"nothing is kept that lives for 0", ``, "", `version: "5.6", manager: connectionConfig: timeToLive: "0s", client: requestConfig: connectionKeepAlive: "30s"`, timerKeep,
			"0s manager.connectionConfig.timeToLive; not client.requestConfig.connectionKeepAlive: no connection is kept", ""},
		{"nor is a life of less a limit: 71", ``, "", `version: "5.6", manager: connectionConfig: timeToLive: "-1ms", client: requestConfig: connectionKeepAlive: "-1s"`, timerKeep,
			"never client.requestConfig.connectionKeepAlive", ""},
		{"72, by its other method: so does the builder's stale check", ``, "", `version: "5.5.2", manager: {connectionConfig: {connectTimeout: "300ms", validateAfterInactivity: "4s"}, validateAfterInactivity: "5s"}`, timerConnect,
			"180s manager.connectionConfig.connectTimeout; not manager.connectionConfig.connectTimeout: it is dropped by manager.validateAfterInactivity, which replaces the whole connectionConfig: write connectionConfig.validateAfterInactivity instead",
			"ignored-value: manager.connectionConfig.connectTimeout is dropped by manager.validateAfterInactivity, which replaces the whole connectionConfig"},
		{"72: the builder's time to live replaces the whole ConnectionConfig", ``, "", `version: "5.5.2", manager: {connectionConfig: connectTimeout: "300ms", connectionTimeToLive: "5m"}`, timerConnect,
			"180s manager.connectionConfig.connectTimeout; not manager.connectionConfig.connectTimeout: it is dropped by manager.connectionTimeToLive, which replaces the whole connectionConfig: write connectionConfig.timeToLive instead",
			"ignored-value: manager.connectionConfig.connectTimeout is dropped by manager.connectionTimeToLive, which replaces the whole connectionConfig"},
		{"a property that this Spring Boot does not bind", `springBoot: "4.0.2"`, "", `properties: "spring.http.client.connect-timeout": "2s"`, timerConnect,
			`180s manager.connectionConfig.connectTimeout; not properties."spring.http.client.connect-timeout": it is not bound by Spring Boot 4.0.2`, "ignored-value: spring.http.client.connect-timeout is not bound by Spring Boot 4.0.2"},
		{"one that is no duration", `springBoot: "4.1.1"`, "", `properties: "spring.http.clients.read-timeout": "2 sec"`, timerRead,
			soDefault + `; not properties."spring.http.clients.read-timeout": it is 2 sec, no duration that Spring reads`, "rejected: spring.http.clients.read-timeout is 2 sec, no duration that Spring reads"},
		{"one whose place is taken by hand", `springBoot: "4.1.1"`, "", `properties: "spring.http.clients.read-timeout": "2s", manager: connectionConfig: socketTimeout: "5s"`, timerRead,
			`5s manager.connectionConfig.socketTimeout; not properties."spring.http.clients.read-timeout": manager.connectionConfig.socketTimeout, which it would set, is written by hand`, "shadowed: spring.http.clients.read-timeout 2s is never in force; manager.connectionConfig.socketTimeout 5s wins"},
		{"36: handshakeTimeout in a tunnel", ``, tunnel, `version: "5.5.1", manager: {socketConfig: soTimeout: "900ms", tlsConfig: handshakeTimeout: "300ms"}`, timerTLS,
			"900ms manager.socketConfig.soTimeout; not manager.tlsConfig.handshakeTimeout: since 5.5.1 the handshake through a CONNECT tunnel does not use it",
			"shadowed: manager.tlsConfig.handshakeTimeout 300ms is never in force; manager.socketConfig.soTimeout 900ms wins: since 5.5.1 the handshake through a CONNECT tunnel does not use it"},
		{"37: which has it before", ``, tunnel, `version: "5.5", manager: {socketConfig: soTimeout: "900ms", tlsConfig: handshakeTimeout: "300ms"}`, timerTLS, "300ms manager.tlsConfig.handshakeTimeout", ""},
	} {
		s := resolveText(t, called(row.runtime, "https", row.via, "{"+row.client+"}", `"/x": {}`))
		if got, _ := derived(t, s, "/x", row.timer); got != row.want {
			t.Errorf("%s: %s, want\n%s", row.n, got, row.want)
		}
		if told := notices(s); row.notice != "" && !strings.Contains(told, row.notice) {
			t.Errorf("%s: it says %q, want %q", row.n, told, row.notice)
		}
	}
}

func TestTheReasonNamesTheReleaseThatDecides(t *testing.T) {
	for _, row := range []struct{ n, version, via, client, timer, why string }{
		{"the handshake of 5.0.1 without soTimeout", "5.0.1", "", `manager: socketConfig: soTimeout: "0s"`, timerTLS, "before 5.0.2: soTimeout; if that is 0, the connect timeout"},
		{"the handshake of 5.1.4", "5.1.4", "", ``, timerTLS, "before 5.2: soTimeout"},
		{"the handshake of 5.5", "5.5", "", ``, timerTLS, "from 5.2 to 5.5: handshakeTimeout, else soTimeout"},
		{"the handshake of 5.5.1", "5.5.1", "", ``, timerTLS, "since 5.5.1: handshakeTimeout, else the connect timeout"},
		{"a tunnel of 5.0.1", "5.0.1", "squid", ``, timerTLS, "through a CONNECT tunnel, before 5.0.2: the connect timeout; if that is 0, responseTimeout, else soTimeout"},
		{"a tunnel of 5.1.4", "5.1.4", "squid", ``, timerTLS, "through a CONNECT tunnel, before 5.2: responseTimeout, else soTimeout"},
		{"a tunnel of 5.5", "5.5", "squid", ``, timerTLS, "through a CONNECT tunnel, from 5.2 to 5.5: handshakeTimeout, else responseTimeout, else socketTimeout, else soTimeout"},
		{"a tunnel of 5.6.4", "5.6.4", "squid", ``, timerTLS, "through a CONNECT tunnel, since 5.5.1: responseTimeout, else socketTimeout, else soTimeout"},
		{"54: a read of 5.4.4 by the handshake's time", "5.4.4", "", `manager: tlsConfig: handshakeTimeout: "300ms"`, timerRead, "in 5.4 to 5.5 the handshake leaves handshakeTimeout on the socket"},
		{"a read in a tunnel of 5.5 by it", "5.5", "squid", `manager: {tlsConfig: handshakeTimeout: "300ms", connectionConfig: socketTimeout: "5s"}`, timerRead, "leaves handshakeTimeout on the socket, over socketTimeout"},
		{"a read in a tunnel of 5.0.1", "5.0.1", "squid", ``, timerRead, "before 5.0.2 the handshake through a CONNECT tunnel leaves the connect timeout on the socket"},
		{"a connect that the kernel ends", "5.5.2", "", `client: requestConfig: connectTimeout: "0s"`, timerConnect, "RequestConfig's connectTimeout beats the manager's; the client's config is in force; a 0 leaves it to the kernel"},
		{"a wait that nobody sets", "5.5.2", "", ``, timerWait, "no RequestConfig in force has a connectionRequestTimeout; the client's config is in force"},
		{"an idle connection", "5.5.2", "", ``, timerKeep, "it counts where the server announces no time of its own"},
		{"a read of 5.1.4", "5.1.4", "", ``, timerRead, "no RequestConfig in force has a responseTimeout: soTimeout"},
		{"a read of 5.5.2", "5.5.2", "", ``, timerRead, "no RequestConfig in force has a responseTimeout: socketTimeout, else soTimeout"},
	} {
		s := resolveText(t, called(``, "https", row.via, `{version: "`+row.version+`", `+row.client+`}`, `"/x": {}`))
		if _, why := derived(t, s, "/x", row.timer); !strings.Contains(why, row.why) {
			t.Errorf("%s: because %s, want %s", row.n, why, row.why)
		}
	}
}
