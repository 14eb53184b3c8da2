package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// An upstream connection is kept where all of keepalive, the protocol and the header
// line say so, each by the innermost block that has it.
func TestWhatKeepsAnUpstreamConnection(t *testing.T) {
	const (
		ones     = `proxy_http_version: "1.1"`
		header   = `proxy_set_header: Connection: ""`
		upstream = `, upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`
		speaks   = `speaks HTTP/1.0 (one request a connection)`
		tells    = `tells it to close each connection`
	)
	for name, row := range map[string]struct {
		settings string
		why      string // of the notice; "" where there is none
		kept     bool
		writes   string // the settings of the remedy
	}{
		"keepalive alone": {`version: "1.28.0"` + upstream, speaks + " and " + tells, false,
			"server.proxy_http_version=1.1 server.proxy_set_header.Connection="},
		"the header line is forgotten":        {`version: "1.28.0", server: ` + ones + upstream, tells, false, "server.proxy_set_header.Connection="},
		"the protocol is forgotten":           {`version: "1.28.0", server: ` + header + upstream, speaks, false, "server.proxy_http_version=1.1"},
		"all three lines":                     {`version: "1.28.0", server: {` + ones + `, ` + header + `}` + upstream, "", true, ""},
		"keepalive 0":                         {`version: "1.28.0", upstream: api: {server: ["10.0.0.1:80"], keepalive: 0}`, "", false, ""},
		"a release that needs no line":        {`version: "1.29.7"` + upstream, "", true, ""},
		"the one before it":                   {`version: "1.29.6", server: ` + ones + upstream, tells, false, "server.proxy_set_header.Connection="},
		"a new release that is told to":       {`version: "1.30.0", server: proxy_set_header: Connection: "Close"` + upstream, tells, false, "server.proxy_set_header.Connection="},
		"its own default is told to":          {`version: "1.30.0", server: proxy_set_header: Connection: "close", upstream: api: server: ["10.0.0.1:80"]`, "", false, ""},
		"close among other words":             {`version: "1.28.0", server: {` + ones + `, proxy_set_header: Connection: "TE, close"}` + upstream, tells, false, "server.proxy_set_header.Connection="},
		"lines of http hold in the server":    {`version: "1.28.0", http: {` + ones + `, ` + header + `}, server: send_timeout: "1s"` + upstream, "", true, ""},
		"a server with lines of its own":      {`version: "1.28.0", http: {` + ones + `, ` + header + `}, server: proxy_set_header: Host: "$host"` + upstream, tells, false, "server.proxy_set_header.Connection="},
		"a location with lines of its own":    {`version: "1.28.0", server: {` + ones + `, ` + header + `}, location: "/": proxy_set_header: Host: "$host"` + upstream, tells, false, `location."/".proxy_set_header.Connection=`},
		"a location with all of them":         {`version: "1.28.0", server: ` + ones + `, location: "/": proxy_set_header: {Host: "$host", Connection: ""}` + upstream, "", true, ""},
		"another location's lines":            {`version: "1.28.0", server: {` + ones + `, ` + header + `}, location: "/a": proxy_set_header: Host: "$host"` + upstream, "", true, ""},
		"a block of headers that says none":   {`version: "1.28.0", http: {` + ones + `, ` + header + `}, server: proxy_set_header: {}` + upstream, "", true, ""},
		"a value that is known while it runs": {`version: "1.28.0", server: {` + ones + `, proxy_set_header: Connection: "$connection_upgrade"}` + upstream, "", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := resolveText(t, proxied(`{`+row.settings+`}`, `"GET /{$}": {}`))
			c := call(t, s, "proxy", "api")
			if kept := len(c.Idle) > 0; kept != row.kept || kept != (c.Resend != nil) {
				t.Errorf("kept %v, sent again %v; want %v", c.Idle, c.Resend, row.kept)
			}
			why, writes := "", ""
			for _, n := range s.Notices {
				why += strings.TrimPrefix(strings.Split(n.Message, ";")[0], "keepalive 32 has no effect: towards the upstream NGINX ")
				for _, x := range n.Remedy {
					writes += " " + strings.TrimPrefix(x.Origin.Setting, "proxy.nginx.") + "=" + x.Text
				}
			}
			if why != row.why || strings.TrimSpace(writes) != row.writes {
				t.Errorf("says %q, write%s; want %q, %s", why, writes, row.why, row.writes)
			}
			if d := c.Derivations; len(d) != 0 && (d[0].Off == row.kept || d[0].Value == chain.Never == row.kept) {
				t.Errorf("derived as %+v", d[0])
			}
		})
	}
}

func TestAnIgnoredKeepaliveSaysWhatIsWrittenElsewhere(t *testing.T) {
	const upstream = `, upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`
	for name, row := range map[string]struct{ settings, routes, want string }{
		"lines of a location hold there alone": {`location: "/p": {proxy_http_version: "1.1", proxy_set_header: Connection: ""}`, `{"GET /a": {}, "GET /p": {}}`,
			`write proxy_http_version: "1.1" and proxy_set_header: Connection: ""; that of location "/p" holds there alone [GET /a]`},
		"a header of a location switches off the server's": {`server: {proxy_http_version: "1.1", proxy_set_header: Connection: ""}, location: "/p": proxy_set_header: Host: "$host"`, `{"GET /a": {}, "GET /p": {}}`,
			`write proxy_set_header: Connection: "" into proxy.nginx.location."/p".proxy_set_header, which switches off that of the block around it [GET /p]`},
		"nothing is written anywhere": {`location: "/p": proxy_read_timeout: "9s"`, `{"GET /a": {}}`,
			`write proxy_http_version: "1.1" and proxy_set_header: Connection: "" [GET /a]`},
		"a connection that is upgraded is never used again": {`location: "/p": {proxy_http_version: "1.1", proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}}`,
			`{"GET /a": {}, "GET /p": response: websocket: ping: "30s", "GET /q": response: websocket: ping: "30s"}`,
			`write proxy_http_version: "1.1" and proxy_set_header: Connection: ""; that of location "/p" holds there alone [GET /a]`},
	} {
		s, got := resolveText(t, proxied(`{version: "1.28.0", `+row.settings+upstream+`}`, row.routes)), ""
		for _, n := range s.Notices {
			_, message, _ := strings.Cut(n.Message, "; ")
			got += fmt.Sprint(message, " ", n.Routes)
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

func TestAConnectionHeaderOfARunTimeValueIsNotChecked(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.28.0", server: {proxy_http_version: "1.1", proxy_set_header: Connection: "$c"}, upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}}`, `"GET /{$}": {}`))
	if !slices.ContainsFunc(s.Routes[0].NotChecked, func(n chain.NotChecked) bool {
		return n.Layer == "proxy" && n.Reason == "proxy_set_header Connection $c is known at run time only: connections to the upstream are taken to be kept"
	}) {
		t.Errorf("not checked: %+v", s.Routes[0].NotChecked)
	}
}

func TestOldReleasesPassAnyMethodToTheNextServer(t *testing.T) {
	for version, want := range map[string]bool{"1.8.1": true, "1.9.12": true, "1.9.13": false, "1.28.0": false} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	proxy: nginx: {version: "`+version+`", upstream: api: server: ["10.0.0.1:80", "10.0.0.2:80"]}
	api: app: server: gohttp: IdleTimeout: "90s"
}
routes: "POST /": path: ["proxy", "api"]
`)
		retry := s.Routes[0].Root.Calls()[0].Layers[0].Retry
		if got := retry.Allows(chain.CondReset, "POST", true); got != want {
			t.Errorf("%s repeats a POST that was sent: %v, want %v", version, got, want)
		}
	}
}

func TestKeptConnectionsSayWhatIsOpenAndTheyRestOn(t *testing.T) {
	const ones = `server: {proxy_http_version: "1.1", proxy_set_header: Connection: ""}`
	for name, row := range map[string]struct{ settings, want string }{
		"the version":                   {`upstream: api: server: ["10.0.0.1:80"]`, "its version is 1.29.7 or later"},
		"a version that is too coarse":  {`version: "1.29", upstream: api: server: ["10.0.0.1:80"]`, "its version is 1.29.7 or later"},
		"none that is exact":            {`version: "1.30.0", upstream: api: server: ["10.0.0.1:80"]`, ""},
		"none where every version does": {ones + `, upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`, ""},
		"a header that is known at run time": {`version: "1.28.0", server: {proxy_http_version: "1.1", proxy_set_header: Connection: "$c"}, upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`,
			"Connection $c does not come to close"},
	} {
		c := call(t, resolveText(t, proxied(`{`+row.settings+`}`, `"GET /{$}": {}`)), "proxy", "api")
		if len(c.Idle) == 0 || c.Idle[0].If != row.want {
			t.Errorf("%s: %+v, want %q", name, c.Idle, row.want)
		}
	}
}
