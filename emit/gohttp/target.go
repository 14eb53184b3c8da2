package gohttp

import (
	"cmp"
	_ "embed"
	"errors"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Target is `tchain emit go`.
var Target = emit.Target{
	Name:     "go",
	Title:    "Go: an http.Client for each client of each app",
	Emit:     write,
	Packages: true,
}

// target names the target in refusals.
const target = "go"

// mechanism is the client itself, under the package name that it has here.
//
//go:embed internal/upstream/tchain_client.go
var mechanism string

const mechanismPackage = "upstream"

// A use is one call of one route.
type use struct {
	route *chain.Route
	node  *chain.Node
	call  *chain.Call
}

// A client is one pool with all calls that go through it.
type client struct {
	name    string // as the stack has it
	varName string // "AuthLimits"
	callees []string
	uses    []use
	pool    chain.Size // the calls that may be open at once; none if nothing bounds them
}

// An app is a layer with clients.
type app struct {
	layer   string
	clients []*client
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
	var c collector
	apps := appsOf(routes, &c)
	if len(apps) == 0 && c.Refusals == nil {
		return nil, nil, &emit.Refusal{Target: target, Why: "no app of " + s.Name + " has a client"}
	}
	var files []emit.File
	for _, a := range apps {
		dir := ""
		if len(apps) > 1 {
			dir = fileWord(a.layer) + "/"
		}
		files = append(files,
			emit.File{Name: dir + fileWord(a.layer) + "_limits.go", Content: a.values(s, pkg, &c)},
			emit.File{Name: dir + "tchain_client.go", Content: mechanismAs(pkg)})
	}
	if c.Refusals != nil {
		return nil, nil, errors.Join(c.Refusals...)
	}
	return files, c.Warnings, nil
}

// mechanismAs is the mechanism under the package name pkg.
func mechanismAs(pkg string) []byte {
	return []byte(strings.NewReplacer("package "+mechanismPackage+"\n", "package "+pkg+"\n",
		"// Package "+mechanismPackage+" ", "// Package "+pkg+" ", `"`+mechanismPackage+": ", `"`+pkg+": ").Replace(mechanism))
}

// appsOf finds the apps and their clients, both in the order of their names.
func appsOf(routes []*chain.Route, c *collector) []*app {
	type key struct{ app, client string }
	uses := map[key][]use{}
	var keys []key
	for _, r := range routes {
		for _, n := range r.Nodes() {
			for _, call := range n.Calls() {
				if call.Client == "" || n.Role == chain.RoleCaller {
					continue
				}
				k := key{n.Layer, call.Client}
				if uses[k] == nil {
					keys = append(keys, k)
				}
				uses[k] = append(uses[k], use{r, n, call})
			}
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.app, b.app), cmp.Compare(a.client, b.client)) })
	var out []*app
	for _, k := range keys {
		if len(out) == 0 || out[len(out)-1].layer != k.app {
			out = append(out, &app{layer: k.app})
		}
		a := out[len(out)-1]
		a.clients = append(a.clients, split(k.client, uses[k], c)...)
	}
	for _, a := range out {
		seen := map[string]string{}
		for _, cl := range a.clients {
			if other, ok := seen[cl.varName]; ok {
				c.Refuse(&emit.Refusal{Target: target, Value: a.layer, Why: "clients " + other + " and " + cl.name + " would both be " + cl.varName})
			}
			seen[cl.varName] = cl.name
		}
	}
	return out
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
