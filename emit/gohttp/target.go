package gohttp

import (
	"cmp"
	"embed"
	"errors"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// Target is `tchain emit go`.
var Target = emit.Target{
	Name:     "go",
	Title:    "Go: an http.Client for each client of each app, and an http.Server",
	Emit:     write,
	Packages: true,
}

// target names the target in refusals.
const target = "go"

// mechanism are the files of the client itself, under the package name that they have here.
//
//go:embed internal/upstream/tchain_client.go internal/upstream/tchain_call.go internal/upstream/tchain_retry.go internal/upstream/tchain_limits.go
var mechanism embed.FS

// mechanismFiles are its files under the package name pkg.
func mechanismFiles(dir, pkg string) []emit.File {
	var out []emit.File
	for _, name := range []string{"tchain_client.go", "tchain_call.go", "tchain_limits.go", "tchain_retry.go"} {
		text, err := mechanism.ReadFile("internal/upstream/" + name)
		if err != nil {
			panic(err) // it is part of the program
		}
		out = append(out, emit.File{Name: dir + name, Content: packaged(string(text), pkg)})
	}
	return out
}

const mechanismPackage = "upstream"

// dialect is what net/http and the mechanism can do.
var dialect = limits.Dialect{
	Target: target, Name: "Go", PerCall: "ErrPerCall", Proxy: "takes it from HTTPS_PROXY",
	DialGoesOn: true, SharesConnect: true,
	Kinds:     slices.Concat(limits.Common, limits.Calls, []chain.Kind{chain.PingInterval}),
	KeepsIdle: true,
	Own: []limits.Own{
		{ID: "gohttp.CheckRedirect", Field: "Redirects", Unset: "9", Off: "None"},
		{ID: "gohttp.MaxIdleConns", Field: "IdleTotal", Unset: "0"},
		{ID: "gohttp.HTTP2.SendPingTimeout", Field: "Ping", Unset: "15s", Off: "Off", With: "gohttp.HTTP2.SendPingTimeout"},
		{ID: "gohttp.HTTP2.PingTimeout", Field: "PingWait", Unset: "5s", With: "gohttp.HTTP2.SendPingTimeout"},
		{ID: "gohttp.HTTP2.WriteByteTimeout", Field: "WriteByte", Unset: "0s"},
		{ID: "gohttp.ExpectContinueTimeout", Field: "Continue", Unset: "0s"},
		{ID: "gohttp.Dialer.KeepAlive", Field: "KeepAlive", Unset: "15s", Off: "Off", OffAt: -1},
		{ID: "gohttp.Dialer.FallbackDelay", Field: "FamilyWait", Unset: "300ms", Off: "Off", OffAt: -1},
	},
	// A dead HTTP/2 connection is used again and again where nothing tests it, so that it
	// is tested where the stack says nothing of it.
	Always: map[string]string{"gohttp.ForceAttemptHTTP2": "true", "gohttp.HTTP2.SendPingTimeout": "15s", "gohttp.HTTP2.PingTimeout": "5s"},
}

func write(s *chain.Stack, o emit.Options) ([]emit.File, []emit.Warning, error) {
	pkg := cmp.Or(o.Package, mechanismPackage)
	if !token.IsIdentifier(pkg) || pkg == "_" {
		return nil, nil, &emit.Refusal{Target: target, Value: pkg, Why: "it is no name for a Go package"}
	}
	routes, err := o.Select(s)
	if err != nil {
		return nil, nil, err
	}
	var c emit.Collector
	apps := dialect.Apps(routes, &c)
	servers := emit.Layers(routes, isServer)
	if len(apps)+len(servers) == 0 && c.Refusals == nil {
		return nil, nil, &emit.Refusal{Target: target, Nothing: true, Why: "no app of " + s.Name + " has a client, or a server of Go's"}
	}
	names := map[string]bool{}
	for _, a := range dialect.Apps(s.Routes, new(emit.Collector)) {
		names[a.Layer] = true
	}
	for _, l := range emit.Layers(s.Routes, isServer) {
		names[l.Name] = true
	}
	place := func(layer string) string {
		if len(names) > 1 {
			return fileWord(layer) + "/"
		}
		return ""
	}
	var files []emit.File
	for _, a := range apps {
		if c.AtRunTime(target, a.Layer, routes, a.RestsOn) {
			continue
		}
		c.Heed(target, s, a.Layer, routes)
		a.Distinct(varName, &c)
		dir := place(a.Layer)
		files = append(files, c.Files(target, a.Layer, emit.File{Name: dir + fileWord(a.Layer) + "_limits.go", Content: valuesFile(a, s, pkg, &c)})...)
		files = append(files, mechanismFiles(dir, pkg)...)
	}
	for _, l := range servers {
		if c.AtRunTime(target, l.Name, routes, emit.OfServer) {
			continue
		}
		c.Heed(target, s, l.Name, routes)
		files = append(files, c.Files(target, l.Name, serverFiles(l, s, pkg, place(l.Name), &c)...)...)
	}
	c.Unmet(s, func(o chain.Origin) bool {
		return emit.OfClient(o.Setting) || emit.OfServer(o.Setting) && strings.HasPrefix(o.ID, "gohttp.")
	}, files)
	if c.Refusals != nil {
		return nil, nil, errors.Join(c.Refusals...)
	}
	return files, c.Warnings, nil
}

// packaged is a mechanism under the package name pkg.
func packaged(mechanism, pkg string) []byte {
	return []byte(strings.NewReplacer("package "+mechanismPackage+"\n", "package "+pkg+"\n",
		"// Package "+mechanismPackage+" ", "// Package "+pkg+" ", `"`+mechanismPackage+": ", `"`+pkg+": ").Replace(mechanism))
}

// varName is the variable of a client's limits: "AuthLimits".
func varName(cl *limits.Client) string {
	name := exported(cl.Name)
	if cl.Part != "" {
		name += exported(cl.Part)
	}
	return name + "Limits"
}

// words are the letters and digits of a name, split at everything else.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// exported is a name as a Go identifier: "risk-engine" is RiskEngine.
func exported(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	if text := b.String(); token.IsExported(text) {
		return text
	}
	return "X" + b.String()
}

// fileWord is a name as part of a file name.
func fileWord(name string) string {
	return strings.ToLower(cmp.Or(strings.Join(words(name), "_"), "app"))
}
