package conformance

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// The layers of the small stack around a block.
const (
	callerLayer   = "web"
	programLayer  = "api"
	upstreamLayer = "up"
)

// stackOf is a stack around the block of a scenario. A program with a client
// passes on what it gets, so that what the client sees is what is seen.
func blockStack(s BlockScenario) string {
	scheme, wait := "http", ""
	for _, u := range s.Upstreams {
		if u.TLS {
			scheme = "https"
		}
		if u.Mode == fault.Slow {
			wait = fmt.Sprintf("latency: max: \"%dms\"", u.DelayMS)
		}
	}
	if s.WorkMS > 0 {
		wait = fmt.Sprintf("latency: max: \"%dms\"", s.WorkMS)
	}
	announced := "false"
	if _, seconds, ok := strings.Cut(s.Announce, "timeout="); ok {
		announced = fmt.Sprintf("\"%ss\"", seconds)
	}
	path := fmt.Sprintf("%q, %q", programLayer, upstreamLayer)
	var program string
	switch {
	case s.Side == chain.Answering && !s.proxies():
		path = fmt.Sprintf("%q, %s", callerLayer, path)
		program = fmt.Sprintf("%s: browser: {}\n\t%s: app: {%s\n\t\tserver: %q: %s\n\t\tclients: %s: custom: {}\n\t}",
			callerLayer, programLayer, runtimeText(s), s.Key, s.versioned(), upstreamLayer)
	case s.proxies():
		path = fmt.Sprintf("%q, %s", callerLayer, path)
		program = fmt.Sprintf("%s: browser: {}\n\t%s: %q: %s", callerLayer, programLayer, s.Key, s.versioned())
	case s.Key == chromiumKey:
		program = fmt.Sprintf("%s: browser: %s", programLayer, s.Block)
	default:
		program = fmt.Sprintf("%s: app: {%s\n\t\trelay: true\n\t\tclients: %s: %q: %s\n\t}", programLayer, runtimeText(s), upstreamLayer, s.Key, s.versioned())
	}
	return fmt.Sprintf(`package conformance

tchain: "v1"
name:   "conformance"
layers: {
	%s
	%s: {
		endpoint: {scheme: %q, addresses: %d, announcesKeepAlive: %s}
		external: {%s}
	}
}
routes: "%s /": path: [%s]
`, program, upstreamLayer, scheme, max(s.Addresses, 1), announced, wait, s.method(), path)
}

// proxies says that the product passes requests on, and is a layer of its own.
func (s BlockScenario) proxies() bool {
	_, ok := proxies[s.Key]
	return ok
}

// versioned is the block with the version that runs, so that its defaults are meant.
func (s BlockScenario) versioned() string {
	var version string
	switch {
	case s.proxies():
		version = proxyVersion(s.Key)
	case s.Key == pumaKey:
		version = pumaVersion()
	case nodeClientVersions()[s.Key] != "":
		version = nodeClientVersions()[s.Key]
	default:
		version = pythonVersion(s.Key)
	}
	if version == "" {
		return string(s.Block)
	}
	return strings.Replace(string(s.Block), "{", fmt.Sprintf("{\"version\": %q, ", version), 1)
}

func runtimeText(s BlockScenario) string {
	if major, ok := strings.CutPrefix(s.Product, nodeKey+"-"); ok {
		return fmt.Sprintf("\n\t\truntime: node: %q", major)
	}
	if nodeClientVersions()[s.Key] != "" {
		return fmt.Sprintf("\n\t\truntime: node: %q", nodeClientsMajor)
	}
	return ""
}
