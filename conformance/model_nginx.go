package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/conformance/fault"
)

// modelOf is the route client → nginx → upstream that tchain itself makes of
// the settings of a scenario: they are written as a stack and compiled.
func modelOf(s Scenario) (*chain.Route, error) { return compileRoute(stackText(s)) }

// stackText is the stack that the settings of a scenario are written as.
func stackText(s Scenario) string {
	var server, location, upstream, params []string
	for _, name := range sortedKeys(s.Settings) {
		value := strings.Trim(s.Settings[name], `"`)
		switch {
		case strings.HasPrefix(name, "upstream.server."):
			params = append(params, strings.TrimPrefix(name, "upstream.server.")+"="+value)
		case strings.HasPrefix(name, "upstream."):
			upstream = append(upstream, field(strings.TrimPrefix(name, "upstream."), value))
		case strings.HasPrefix(name, "location."):
			location = append(location, field(strings.TrimPrefix(name, "location."), value))
		default:
			server = append(server, field(name, value))
		}
	}
	var addresses []string
	scheme, latency := "http", ""
	for i, u := range s.Upstreams {
		addresses = append(addresses, strconv.Quote(strings.Join(append([]string{fmt.Sprintf("127.0.0.1:%d", 8081+i)}, params...), " ")))
		if u.TLS {
			scheme = "https"
		}
		if u.Mode == fault.Slow {
			latency = fmt.Sprintf("latency: max: %q", time.Duration(u.DelayMS)*time.Millisecond)
		}
	}
	upstream = append(upstream, "server: ["+strings.Join(addresses, ", ")+"]")
	return fmt.Sprintf(`package scenario
tchain: "v1"
name:   "scenario"
layers: {
	client: browser: fetch: {}
	nginx: nginx: {
		version: %q
		server: {%s}
		location: "/": {%s}
		upstream: upstream: {%s}
	}
	upstream: {
		endpoint: scheme: %q
		external: {idleKeepalive: "1000s", %s}
	}
}
routes: "%s /": path: ["client", "nginx", "upstream"]
`, nginxModelVersion(), strings.Join(server, ", "), strings.Join(location, ", "), strings.Join(upstream, ", "), scheme, latency, s.method())
}

// nginxModelVersion is the version that runs, so that its defaults are meant.
func nginxModelVersion() string {
	if v, err := NGINXVersion(); err == nil {
		return v
	}
	return "1.22.1"
}

// field is a directive with its value in CUE. One of two words, as proxy_set_header
// Connection, is a field in a struct.
func field(name, value string) string {
	if directive, header, ok := strings.Cut(name, " "); ok {
		return fmt.Sprintf("%s: %q: %q", directive, header, value)
	}
	return name + ": " + literal(value)
}

// literal is a setting's value in CUE: a whole number that is no time stays one.
func literal(value string) string {
	if _, err := strconv.Atoi(value); err == nil {
		return value
	}
	return strconv.Quote(value)
}

// compileRoute is the first route of a stack that is given as text.
func compileRoute(text string) (*chain.Route, error) {
	stack, err := compileStack(text)
	if err != nil {
		return nil, err
	}
	return stack.Routes[0], nil
}

// compileStack is a stack that is given as text; it has at least one route.
func compileStack(text string) (*chain.Stack, error) {
	dir, err := os.MkdirTemp("", "tchain-model-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "stack.cue")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return nil, err
	}
	var stack *chain.Stack
	sum := compile.Each([]string{file}, compile.Options{}, func(u *compile.Unit) {
		for _, e := range u.Errors {
			err = fmt.Errorf("line %d: %s", e.Range.Line, e.Message)
		}
		if u.Stack != nil && len(u.Stack.Routes) > 0 {
			stack = u.Stack
		}
	})
	for _, e := range sum.Errors {
		err = fmt.Errorf("%s", e.Message)
	}
	if err == nil && stack == nil {
		err = fmt.Errorf("the stack has no route")
	}
	return stack, err
}
