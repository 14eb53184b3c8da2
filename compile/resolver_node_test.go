package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func TestNodeKeepsAnIdleConnectionABufferLongerThanItAnnounces(t *testing.T) {
	const bare, buffered = 5500 * time.Millisecond, 6500 * time.Millisecond
	for version, want := range map[string]time.Duration{
		"18.20.0": bare, "20.17.0": bare, "20.18.0": buffered, "21.7.3": bare, "22.8.0": bare, "22.9.0": buffered, "23.0.0": buffered, "24.6.0": buffered,
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: {version: "`+version+`", keepAliveTimeout: 5500}
}
routes: "GET /": path: ["edge", "api"]
`)
		if l, _ := node(t, s, "api").ServeLimit(chain.IdleKeepalive); l.Bound != want {
			t.Errorf("node %s keeps an idle connection for %s, want %s", version, l.Bound, want)
		}
		if told := node(t, s, "api").Announces.D; told != 5*time.Second {
			t.Errorf("node %s announces %s, want whole seconds without the buffer", version, told)
		}
	}
}

func TestABufferThatNodeHasAsAConstantIsNotTheOneWritten(t *testing.T) {
	const ignored = "keepAliveTimeoutBuffer 4000 acts as %s: node %s has no such setting, which came with 22.19 and 24.6"
	for version, acts := range map[string]string{"18.20.0": "0", "20.20.0": "1000", "22.18.0": "1000", "22.19.0": "", "23.11.1": "1000", "24.5.0": "1000", "24.6.0": ""} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: {version: "`+version+`", keepAliveTimeout: 5000, keepAliveTimeoutBuffer: 4000}
}
routes: "GET /": path: ["edge", "api"]
`)
		want, told := 9*time.Second, ""
		if acts != "" {
			buffer, _ := time.ParseDuration(acts + "ms")
			want, told = 5*time.Second+buffer, fmt.Sprintf(ignored, acts, version)
		}
		if l, _ := node(t, s, "api").ServeLimit(chain.IdleKeepalive); l.Bound != want {
			t.Errorf("node %s keeps an idle connection for %s, want %s", version, l.Bound, want)
		}
		var got string
		for _, n := range s.Notices {
			if n.Kind == chain.NoticeIgnored {
				got += n.Message
			}
		}
		if got != told {
			t.Errorf("node %s: %q, want %q", version, got, told)
		}
	}
}

func TestNodesTimeoutOfSilenceEndsAnIdleConnectionThatNothingElseEnds(t *testing.T) {
	for _, row := range []struct{ says, server, want, told string }{
		{"there is no other", `keepAliveTimeout: 0, timeout: 500`, "500ms timeout", "never"},
		{"keepAliveTimeout takes its place", `keepAliveTimeout: 2000, timeout: 500`, "3s keepAliveTimeout", "2s"},
		{"neither is set", `keepAliveTimeout: 0`, "never keepAliveTimeout", "never"},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: {version: "24.22.3", `+row.server+`}
}
routes: "GET /": path: ["edge", "api"]
`)
		n := node(t, s, "api")
		l, _ := n.ServeLimit(chain.IdleKeepalive)
		if got := chain.Format(l.Bound) + " " + l.Origin.Name; got != row.want || chain.Format(n.Announces.D) != row.told {
			t.Errorf("%s: kept %s and announced %s, want %s and %s", row.says, got, chain.Format(n.Announces.D), row.want, row.told)
		}
	}
}

func TestNodeKeepsAHeaderLimitThatIsNotWrittenBelowTheRequestLimit(t *testing.T) {
	for _, row := range []struct{ server, header, notices string }{
		{`{version: "20.20.2", requestTimeout: 10_000}`, "10s", ""},
		{`{version: "18.14.0", requestTimeout: 10_000}`, "10s", ""},
		{`{version: "20.20.2", requestTimeout: 90_000}`, "60s", ""},
		{`{version: "20.20.2", requestTimeout: 0}`, "never", ""},
		{`{version: "20.20.2", requestTimeout: 10_000, headersTimeout: 0}`, "never", ""},
		{`{version: "19.3.0", requestTimeout: 10_000}`, "10s", "ignored-value: headersTimeout 60s is above requestTimeout 10s: assigned as properties the two change places silently, as options of createServer they are refused\n"},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: `+row.server+`
}
routes: "GET /": path: ["edge", "api"]
`)
		l, _ := node(t, s, "api").ServeLimit(chain.RequestHeaderRead)
		if got := chain.Format(l.Bound); got != row.header || notices(s) != row.notices {
			t.Errorf("%s: %s with %q, want %s", row.server, got, notices(s), row.header)
		}
	}
}

func TestNodeSwapsAHeaderLimitAboveTheRequestLimit(t *testing.T) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: {version: "20.20.2", headersTimeout: 80_000, requestTimeout: 70_000}
}
routes: "GET /": path: ["edge", "api"]
`)
	n := node(t, s, "api")
	header, _ := n.ServeLimit(chain.RequestHeaderRead)
	body, _ := n.ServeLimit(chain.RequestBodyRead)
	if header.Bound != 70*time.Second || body.Bound != 80*time.Second {
		t.Errorf("header %s, request %s", header.Bound, body.Bound)
	}
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeIgnored || !strings.Contains(s.Notices[0].Message, "change places") {
		t.Errorf("noticed %+v", s.Notices)
	}
}

func TestTheHeaderLimitOfOldReleasesOfNodeEndsIdleConnections(t *testing.T) {
	for _, c := range []struct {
		name, server string
		want         time.Duration
	}{
		{"its default is shorter", `version: "10.15.3", keepAliveTimeout: 65_000`, 40 * time.Second},
		{"it is written, and longer", `version: "10.15.3", keepAliveTimeout: 65_000, headersTimeout: 66_000`, 65 * time.Second},
		{"before it was there", `version: "10.13.0", keepAliveTimeout: 65_000`, 65 * time.Second},
		{"after the fix", `version: "12.19.0", keepAliveTimeout: 65_000`, 65 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: {`+c.server+`}
}
routes: "GET /": path: ["edge", "api"]
`)
			if l, _ := node(t, s, "api").ServeLimit(chain.IdleKeepalive); l.Bound != c.want {
				t.Errorf("an idle connection is kept for %s, want %s", l.Bound, c.want)
			}
		})
	}
}

func TestNodeBefore13EndsASilentHandlerAfterTwoMinutes(t *testing.T) {
	for version, want := range map[string]time.Duration{"12.22.0": 2 * time.Minute, "13.0.0": chain.Never} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: {}
	api: app: server: node: version: "`+version+`"
}
routes: "GET /": path: ["edge", "api"]
`)
		if l, _ := node(t, s, "api").ServeLimit(chain.WorkerKill); l.Bound != want {
			t.Errorf("node %s ends a silent handler at %s, want %s", version, chain.Format(l.Bound), chain.Format(want))
		}
	}
}
