package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/conformance/fault"
)

// modelledClients are the products whose settings are a block of the catalogue,
// by its key.
var modelledClients = map[string]string{
	"httpclient5": "httpclient5", "resttemplate": "httpclient5", "restclient": "httpclient5",
	"webclient": "webclient",
	"socket":    "socket", "jdkhttp": "jdkHttpClient", "jdkfactory": "jdkHttpClient",
	"urlconnection": "httpUrlConnection", "simplefactory": "httpUrlConnection",
}

// stackOf is a stack of one app that calls one service by the scenario's
// settings, with a route for each request of the scenario; the measured one is
// the last.
func (s JVMScenario) stackOf(versions map[string]string) string {
	key := modelledClients[s.Product]
	runtime, scheme, via, proxy := "", "http", "", ""
	if s.springs() {
		runtime = fmt.Sprintf("runtime: spring: %q, ", versions["spring-web"])
	}
	if s.https() {
		scheme = "https"
	}
	if s.Proxy != "" {
		via, proxy = `via: "proxy", `, "\tproxy: custom: {}\n"
	}
	up := "external: {}"
	if s.Server.Mode == fault.Slow {
		up = fmt.Sprintf("external: latency: max: \"%dms\"", s.Server.DelayMS)
	}
	settings, err := s.blockOf()
	if err != nil {
		return err.Error() // which no stack can be read from
	}
	var routes []string
	for _, q := range append(slices.Clone(s.Before), s.request()) {
		q = orMeasured(q)
		if r := fmt.Sprintf("\t%q: {}\n", q.Method+" "+q.Path); !slices.Contains(routes, r) {
			routes = append(routes, r)
		}
	}
	version := ""
	if v := versions[libraryOf(key)]; v != "" {
		version = fmt.Sprintf(" & {version: %q}", v)
	}
	return fmt.Sprintf(`package s

tchain: "v1"
name: "s"
layers: {
	api: app: {%sclients: up: {%s%s: %s%s}}
	up: {endpoint: {scheme: %q, addresses: %d}, %s}
%s}
path: ["api", "up"]
routes: {
%s}
`, runtime, via, key, settings, version, scheme, s.addresses(), up, proxy, strings.Join(routes, ""))
}

// springs reports whether the product is one of Spring's clients, whose release counts.
func (s JVMScenario) springs() bool {
	return slices.Contains([]string{"resttemplate", "restclient", "webclient", "jdkfactory", "simplefactory"}, s.Product)
}

// libraryOf is the driver's name of the library whose version a client has; "" if
// the client has none of its own.
func libraryOf(key string) string {
	switch key {
	case "webclient":
		return "reactor-netty-http"
	case "httpclient5":
		return key
	case "jdkHttpClient", "httpUrlConnection":
		return "jdk"
	}
	return ""
}

// modelJVM is what tchain predicts: the trace of the scenario's fault in the
// stack of its settings, as the app sees it. Error and Connections are not in it.
func modelJVM(s JVMScenario, versions map[string]string) (JVMPrediction, error) {
	stack, err := jvmCompiled(s.stackOf(versions))
	if err != nil {
		return JVMPrediction{}, err
	}
	q := s.request()
	var route *chain.Route
	for _, r := range stack.Routes {
		if r.Name == q.Method+" "+q.Path {
			route = r
		}
	}
	f, err := s.faultOn(route)
	if err != nil {
		return JVMPrediction{}, err
	}
	if len(s.Before) > 0 {
		jvmReuse(stack, route, f.Call)
	}
	return s.told(chain.Play(route, f)), nil
}

func jvmCompiled(text string) (*chain.Stack, error) {
	dir, err := os.MkdirTemp("", "tchain-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(text), 0o666); err != nil {
		return nil, err
	}
	var stack *chain.Stack
	compile.Each([]string{dir}, compile.Options{}, func(u *compile.Unit) {
		for _, e := range u.Errors {
			err = errors.Join(err, fmt.Errorf("%d:%d: %s", e.Range.Line, e.Range.Column, e.Message))
		}
		stack = u.Stack
	})
	if err == nil && stack == nil {
		err = errors.New("no stack was read")
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	return stack, nil
}

// faultOn is the scenario's fault at the call of the app.
func (s JVMScenario) faultOn(r *chain.Route) (chain.Fault, error) {
	var f chain.Fault
	for _, c := range r.Root.Calls() {
		if c.To.Layer == "up" {
			f = chain.Fault{Call: c, From: r.Root}
		}
	}
	mode := s.Server.Mode
	switch {
	case f.Call == nil:
		return f, errors.New("the app does not call up")
	case s.Hold > 0:
		f.Kind = chain.Saturated
		return f, nil
	case s.Proxy == fault.ProxyStall:
		mode = fault.TLSStall
	case s.Proxy == fault.ProxySilent:
		f.Kind = chain.TunnelStall
		return f, nil
	case s.Script != nil && s.Script.Steps[len(s.Script.Steps)-1].Silent:
		mode = fault.Silent
	case mode == fault.OK || s.Script != nil:
		return chain.Fault{}, nil
	}
	kind, ok := faultKinds[mode]
	if !ok {
		return f, fmt.Errorf("the model has no fault like %s", mode)
	}
	f.Kind = kind
	return f, nil
}

// jvmReuse puts in force what a stack says stays on a pooled connection.
func jvmReuse(stack *chain.Stack, r *chain.Route, c *chain.Call) {
	for _, n := range stack.Notices {
		if n.Kind != chain.NoticeSticky || !slices.Contains(n.Routes, r.Name) || c == nil {
			continue
		}
		bound, err := time.ParseDuration(n.Origin.Text)
		if err != nil || bound == 0 {
			bound = chain.Never
		}
		limits := c.Layers[len(c.Layers)-1].Limits
		for i := range limits {
			if k := limits[i].Kind; k == chain.ResponseFirstByte || k == chain.ResponseReadGap {
				limits[i].Bound, limits[i].Origin = bound, n.Origin
			}
		}
	}
}

// told is what a trace tells of the app's call.
func (s JVMScenario) told(t chain.Trace) JVMPrediction {
	p := JVMPrediction{Attempts: 1, Running: t.Outcome.At == chain.Never}
	at, hidden := t.Outcome.At, false
	for _, e := range t.Events {
		if e.Node.Layer != "api" {
			continue
		}
		switch e.Kind {
		case chain.EvRetries:
			p.Attempts, p.Phase, p.Setting, at = p.Attempts+1, "", "", t.Outcome.At
		case chain.EvTimeout:
			_, p.Setting, _ = strings.Cut(e.Limit.Origin.Setting, "."+modelledClients[s.Product]+".")
			p.Setting = s.driverName(p.Setting)
			p.Phase, at = e.Cond, e.At
		case chain.EvFailed:
			p.Phase, at = e.Cond, e.At
		case chain.EvExhausted:
			hidden = e.Retry.Gives(e.Cond) != "" // the exception has no status
		}
	}
	if s.ObserveMS > 0 && !p.Running && at > time.Duration(s.ObserveMS)*time.Millisecond {
		p = JVMPrediction{Attempts: p.Attempts, Running: true} // it ends, but not while somebody looks
	}
	if !p.Running {
		p.ElapsedMS = int(at / time.Millisecond)
	}
	if p.Phase == chain.CondStale {
		p.Phase = chain.CondReset // the client's exception is the same
	}
	if p.Status = s.statusOf(t, p); hidden {
		p.Status = 0
	}
	if s.Product == "webclient" && (p.Running || strings.HasPrefix(p.Setting, "operators[")) {
		// The body is awaited as a whole, and an operator's timeout has one exception
		// wherever the exchange was.
		p.Status = 0
		if !p.Running {
			p.Phase = chain.CondDeadline
		}
	}
	return p
}

// statusOf is the status that the app saw, which a trace does not tell: it
// answers with one of its own.
func (s JVMScenario) statusOf(t chain.Trace, p JVMPrediction) int {
	switch s.Server.Mode {
	case fault.Stall, fault.Trickle:
		return 200
	case fault.Unavailable:
		return 503
	}
	if p.Phase == "" && !p.Running {
		return 200
	}
	return 0
}
