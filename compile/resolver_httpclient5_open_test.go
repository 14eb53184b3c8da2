package compile

import (
	"strings"
	"testing"
)

func TestAVersionThatLeavesAReleaseOpenIsNotedWhereItMatters(t *testing.T) {
	const times = `manager: {connectionConfig: connectTimeout: "500ms", socketConfig: soTimeout: "5s"}`
	const reused = `"read, on a reused connection" comes to 5s from 5.6.1 on, to 500ms from 5.5.1 to 5.6, and to 5s before; `
	const client = `client: requestConfig: {connectionRequestTimeout: "1s", connectTimeout: "1s", responseTimeout: "1s"}`
	for _, row := range []struct{ n, runtime, scheme, client, want string }{
		{"no version is the newest, and the handshake has had another limit", ``, "https", times,
			`implicit: version of httpclient5 is open: ` + reused + `"TLS handshake, each read" comes to 500ms from 5.5.1 on, and to 5s before`},
		{"which is all the same without one", ``, "http", times, ""},
		{"as are the defaults", ``, "https", ``, ""},
		{"5 says no more", ``, "https", `version: "5", ` + times, `version-boundary: httpclient5 5 is too coarse: ` + reused + `"TLS handshake, each read" comes to 500ms from 5.5.1 on, and to 5s before`},
		{"nor does 5.x, and it has all that 5 has", ``, "https", `version: "5.x", ` + times, `version-boundary: httpclient5 5.x is too coarse: ` + reused + `"TLS handshake, each read" comes to 500ms from 5.5.1 on`},
		{"of 5.5.x neither", ``, "https", `version: "5.5.x", ` + times, `version-boundary: httpclient5 5.5.x is too coarse: "TLS handshake, each read" comes to 500ms from 5.5.1 on`},
		{"5.5 is a release", ``, "https", `version: "5.5", ` + times, ""},
		{"of 5.4.x none differs from another", ``, "https", `version: "5.4.x", ` + times, ""},
		{"a Spring Boot line that brings several", `springBoot: "3.5"`, "https", times, `version-boundary: springBoot 3.5 is too coarse: "TLS handshake, each read" comes to 500ms from 3.5.7 on, and to 5s before`},
		{"it does not matter where nothing differs", `springBoot: "4.1"`, "https", `client: requestConfig: responseTimeout: "5s"`, ""},
		{"nor where all that differs has a version of its own", `springBoot: "3.5"`, "https", `version: "5.5.2", ` + times, ""},
		{"in 4.0 no timer does", `springBoot: "4.0"`, "https", times, ""},
		{"in 4.1 one does", `springBoot: "4.1"`, "https", `client: evictExpiredConnections: true, ` + times, ""},
		{"a property that is put elsewhere", `springBoot: "3.4"`, "https", `properties: "spring.http.client.read-timeout": 5000`,
			`version-boundary: springBoot 3.4 is too coarse: "TLS handshake, each read" comes to 180s from 3.4.12 on, and to 5s before`},
		{"Spring 6.2 drops the factory's times at first", `spring: "6.2"`, "http", `version: "5.3.1", factory: connectionRequestTimeout: "2s", ` + client,
			`version-boundary: spring 6.2 is too coarse: "wait for a pooled connection" comes to 2s from 6.2.7 on, and to 1s before`},
		{"not with a newer client", `spring: "6.2"`, "http", `version: "5.4.4", factory: connectionRequestTimeout: "2s", ` + client, ""},
		{"and it took RequestConfig.DEFAULT for a config", `spring: "6.2"`, "http", `version: "5.4.4", factory: connectionRequestTimeout: "2s", context: "/x": object: "DEFAULT", ` + client,
			`version-boundary: spring 6.2 is too coarse: "wait for a pooled connection" comes to 2s from 6.2.7 on, and to 180s before`},
		{"a Spring that nobody names", ``, "http", `version: "5.3.1", factory: connectionRequestTimeout: "2s", ` + client, `implicit: version of Spring is open: "wait for a pooled connection" comes to 2s from 6.2.7 on, to 1s from 6.2.0 to 6.2.6, to 2s from 6.1.20 to 6.1.21, to 1s from 6.1.15 to 6.1.19, and to 2s before`},
		{"what would not compile is not compared", `spring: "6"`, "http", `version: "5.4.4", factory: connectTimeout: "2s"`, `version-boundary: spring 6 is too coarse: "connect, for each address" comes to 2s from 6.1.15 on, and to 180s before`},
		{"setReadTimeout is not there in 6.1, and in 6.0 it does nothing", ``, "http", `version: "5.4.4", factory: readTimeout: "2s", ` + client,
			`implicit: version of Spring is open: "read, on a fresh connection" comes to 2s from 6.2.0 on, and to 1s before`},
		{"setConnectTimeout is gone in 7.0", ``, "http", `version: "5.5.2", factory: {connectTimeout: "1s", connectionRequestTimeout: "500ms", readTimeout: "1s"}`,
			`implicit: version of Spring is open: "wait for a pooled connection" comes to 500ms from 6.2.0 on, and to 180s before; "connect, for each address" comes to 1s from 6.2.0 on, and to 180s before; "read, on a fresh connection" comes to 1s from 6.2.0 on, and to 180s before; and another timer differs; factory.connectTimeout is gone since 7.0.0`},
		{"with the client's version open too both are told", ``, "https", `factory: {connectTimeout: "1s", readTimeout: "2s"}, client: requestConfig: responseTimeout: "5s"`,
			`implicit: version of Spring is open: `},
		{"a line with two boundaries has three ranges", `springBoot: "3.3"`, "https", `factory: {connectTimeout: "1s", connectionRequestTimeout: "500ms"}, client: requestConfig: responseTimeout: "2s"`,
			`version-boundary: springBoot 3.3 is too coarse: "wait for a pooled connection" comes to 500ms from 3.3.12 on, to 180s from 3.3.6 to 3.3.11, and to 500ms before; "connect, for each address" comes to 1s from 3.3.12 on, to 180s from 3.3.6 to 3.3.11, and to 1s before`},
		{"a range of one release", `springBoot: "3.5"`, "https", `properties: "spring.http.client.read-timeout": "5s"`,
			`version-boundary: springBoot 3.5 is too coarse: "read, on a reused connection" comes to 5s from 3.5.8 on, to 180s in 3.5.7, and to 5s before; `},
	} {
		s := resolveText(t, called(row.runtime, row.scheme, "", "{"+row.client+"}", `"/x": {}`))
		told := ""
		for _, n := range s.Notices {
			if n.Kind != "shadowed" && n.Kind != "sticky-limit" {
				told += string(n.Kind) + ": " + n.Message
			}
			if n.Origin.Pos.Line == 0 {
				t.Errorf("%s: at no line", row.n)
			}
		}
		if row.want == "" && told != "" || !strings.HasPrefix(told, row.want) {
			t.Errorf("%s: %q, want %q", row.n, told, row.want)
		}
	}
}

// Vector 18: Spring 6.2.0, which Boot 3.4.0 brings, takes RequestConfig.DEFAULT for
// a config of its own.
func TestBootBringsTheSpringOfItsPatch(t *testing.T) {
	for boot, want := range map[string]string{
		"3.4.0": `180s context."/x".connectionRequestTimeout`, "3.4.5": `180s context."/x".connectionRequestTimeout`,
		"3.4.6": "2s factory.connectionRequestTimeout", "3.4.13": "2s factory.connectionRequestTimeout",
	} {
		s := resolveText(t, called(`springBoot: "`+boot+`"`, "http", "", `{client: requestConfig: responseTimeout: "1s", factory: connectionRequestTimeout: "2s", context: "/x": object: "DEFAULT"}`, `"/x": {}`))
		if got, _ := derived(t, s, "/x", timerWait); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", boot, got, want)
		}
	}
	s := resolveText(t, called(`springBoot: "3.4.1"`, "http", "", `{factory: connectionRequestTimeout: "2s"}`, `"/x": {}`))
	if _, why := derived(t, s, "/x", timerWait); !strings.Contains(why, "(Spring 6.2.0 to 6.2.6, HttpClient 5.4.1 to 5.4.3)") {
		t.Errorf("it says %s", why)
	}
}

func TestAVersionThatWasNeverReleasedIsRefused(t *testing.T) {
	for _, row := range []struct{ runtime, version, told, open string }{
		{``, "4.5.14", "rejected: version 4.5.14 is no release of HttpClient 5\n", ""},
		{``, "6.0", "", "version 6.0 is newer than 5.6.5, the newest that is known here: it is taken to be like that"},
		{``, "5.5.9", "", "version 5.5.9 is newer than 5.5.2, the newest that is known here: it is taken to be like that"},
		{``, "5.7-alpha1", "", "version 5.7-alpha1 is newer than 5.6.5"},
		{`spring: "6.3.0"`, "5.5.2", "rejected: spring 6.3.0 is no release of Spring Framework: 6.2 was the last line of 6\n", ""},
		{`spring: "5.3.39"`, "5.5.2", "", ""},
		{`springBoot: "9.9"`, "5.5.2", "", "springBoot 9.9 is newer than 4.1.2, the newest that is known here: it is taken to be like that"},
		{`springBoot: "3.5.99"`, "5.5.2", "", "springBoot 3.5.99 is newer than 3.5.16"},
		{`springBoot: "3.6.1"`, "5.5.2", "rejected: springBoot 3.6.1 is no release of Spring Boot: 3.5 was the last line of 3\n", ""},
		{`springBoot: "2.7.18"`, "5.5.2", "", ""},
		{`springBoot: "3"`, "5.5.2", "", ""},
	} {
		s := resolveText(t, called(row.runtime, "http", "", `{version: "`+row.version+`"}`, `"/x": {}`))
		told, open := "", reasons(s.Routes[0])
		for _, n := range s.Notices {
			if n.Kind == "rejected" {
				told += string(n.Kind) + ": " + n.Message + "\n"
			}
		}
		if told != row.told || row.open == "" && strings.Contains(open, "known here") || !strings.Contains(open, row.open) {
			t.Errorf("%s, %s: %q and %q", row.runtime, row.version, told, open)
		}
	}
}

func TestTheReleaseBeforeOneIsOfItsLineOrTheNewestOfTheLineBefore(t *testing.T) {
	for _, row := range []struct {
		l             lineage
		release, want string
	}{
		{bootLineage, "3.3.12", "3.3.11"}, {bootLineage, "3.5.0", "3.4.13"}, {bootLineage, "3.5.1", "3.5.0"}, {springLineage, "7.0.0", "6.2.19"},
		{hc5Lineage, "5.5.1", "5.5"}, {hc5Lineage, "5.6", "5.5.2"}, {hc5Lineage, "5.0.2", "5.0.1"}, {hc5Lineage, "5.0", ""},
	} {
		if got := row.l.before(row.release); got != row.want {
			t.Errorf("before %s %s comes %q, want %q", row.l.name, row.release, got, row.want)
		}
	}
}
