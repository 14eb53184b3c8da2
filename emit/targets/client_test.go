package targets

import (
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

const goClient = `layers: {
	api: {instances: 1, app: {
		clients: price: gohttp: %CLIENT
	}}
	price: {endpoint: scheme: %SCHEME, external: idleKeepalive: "600s"}
}
routes: "GET /": path: ["api", "price"]
`

// What an emitted Go client does otherwise than the one that was described is said by
// the setting's name, also where that is a default.
func TestAGoClientIsAsItWasDescribed(t *testing.T) {
	const at = "api.app.clients.price.gohttp."
	for _, row := range []struct {
		name, scheme, client string
		target               string
		writes, warns, not   string
	}{
		{"a handshake limit is kept where there is no TLS yet", "http", `{Timeout: "5s", Transport: {Dialer: Timeout: "1s", IdleConnTimeout: "30s", TLSHandshakeTimeout: "2s"}}`, "go",
			"TLS:         2 * time.Second", "", "HTTP2"},
		{"the idle pool", "http", `{Timeout: "5s", Transport: {Dialer: Timeout: "1s", IdleConnTimeout: "30s"}}`, "go",
			"IdlePerHost: 2,", "", "KeepAlive"},
		{"a test of HTTP/2 connections", "https", `{Timeout: "5s", Transport: {Dialer: Timeout: "1s", IdleConnTimeout: "30s", TLSHandshakeTimeout: "2s"}}`, "go",
			"", at + "Transport.HTTP2.SendPingTimeout: 0s by default is not kept: in the Go client it is always 15s", ""},
		{"TCP keep-alive", "http", `Timeout: "5s"`, "go",
			"KeepAlive:   30 * time.Second, // default of gohttp", "", "tcp-keepalive"},
		{"a bound of all kept connections", "http", `Timeout: "5s"`, "go", "IdleTotal:   100,", "", ""},
		{"pings that are switched off", "https", `{Timeout: "5s", Transport: {Dialer: Timeout: "1s", IdleConnTimeout: "30s", TLSHandshakeTimeout: "2s", HTTP2: SendPingTimeout: "0s"}}`, "go",
			"Ping:        Off,", "", "always 15s"},
		{"dialling that is longer than the call", "http", `Timeout: "2s"`, "go",
			"Connect:     30 * time.Second", at + "DefaultTransport.Dialer.Timeout: PriceLimits: a call ends at 2s and its dialling goes on behind it, up to Connect 30s", ""},
		{"dialling that ends with the call in Node", "http", `Timeout: "2s"`, "node", "connect: 30_000", "", "dialling"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, errs := read(t, strings.NewReplacer("%CLIENT", row.client, "%SCHEME", `"`+row.scheme+`"`).Replace(goClient))
			if errs != nil {
				t.Fatal(errs)
			}
			target, _ := Named(row.target)
			files, warnings, err := target.Emit(s, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var text, said string
			for _, f := range files {
				text += string(f.Content)
			}
			for _, w := range warnings {
				said += w.String() + "\n"
			}
			if !strings.Contains(text, row.writes) || !strings.Contains(said, row.warns) || row.not != "" && strings.Contains(said, row.not) {
				t.Errorf("%s\n%s", said, files[0].Content)
			}
		})
	}
}

// What a product refuses is refused once, in the words of the check.
func TestARejectedValueIsRefusedOnce(t *testing.T) {
	s, errs := read(t, `layers: {
	edge: alb: idle_timeout: 5000
	api: app: {}
}
routes: "GET /": path: ["edge", "api"]
`)
	if errs != nil {
		t.Fatal(errs)
	}
	target, _ := Named("alb")
	if _, _, err := target.Emit(s, emit.Options{}); err == nil || strings.Count(err.Error(), "idle_timeout 5000: ") != 1 {
		t.Errorf("%v", err)
	}
}
