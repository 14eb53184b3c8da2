package compile

import (
	"cmp"
	"fmt"
	"strings"

	"tchain.dev/tchain/chain"
)

// runtimeVersions are the versions that an app's runtime says once for all
// parts that follow from it; nil where the stack does not say.
type runtimeVersions struct {
	boot, spring, golang, node, dotnet, jdk *Value
}

func runtimeOf(app layered) runtimeVersions {
	get := func(name string) *Value {
		if v := app.value("runtime", name); v.known() {
			return v
		}
		return nil
	}
	return runtimeVersions{boot: get("springBoot"), spring: get("spring"), golang: get("go"), node: get("node"), dotnet: get("dotnet"), jdk: get("jdk")}
}

// A bootRow is what a Spring Boot release brings, from one release on. Where a
// range of Spring releases was shipped the last one stands here: all of a row
// behave alike.
type bootRow struct{ from, spring, httpclient5, tomcat string }

// bootRows are read from each Spring Boot tag, oldest first.
var bootRows = []bootRow{
	{"3.0.0", "6.0.14", "5.1.4", "10.1"},
	{"3.1.0", "6.0.21", "5.2.3", "10.1"},
	{"3.2.0", "6.1.14", "5.2.3", "10.1"},
	{"3.2.12", "6.1.15", "5.2.3", "10.1"},
	{"3.3.0", "6.1.14", "5.3.1", "10.1"},
	{"3.3.6", "6.1.19", "5.3.1", "10.1"},
	{"3.3.12", "6.1.21", "5.3.1", "10.1"},
	{"3.4.0", "6.2.15", "5.4.4", "10.1"},
	{"3.5.0", "6.2.7", "5.4.4", "10.1"},
	{"3.5.1", "6.2.11", "5.5", "10.1"},
	{"3.5.7", "6.2.15", "5.5.1", "10.1"},
	{"3.5.10", "6.2.19", "5.5.2", "10.1"},
	{"4.0.0", "7.0.2", "5.5.1", "11.0"},
	{"4.0.2", "7.0.9", "5.5.2", "11.0"},
	{"4.1.0", "7.0.8", "5.6.1", "11.0"},
	{"4.1.1", "7.0.9", "5.6.4", "11.0"},
}

// bootRowOf is the row of a release; a release that is written too coarsely
// counts as the newest of its line.
func bootRowOf(boot string) (row bootRow, ok bool) {
	for _, r := range bootRows {
		if atLeast(boot, r.from) {
			row, ok = r, true
		}
	}
	return row, ok
}

// of is the version of a type that follows from the runtime, with the value
// that says so; "" where none does.
func (r runtimeVersions) of(key string) (version string, by *Value) {
	row, ok := bootRow{}, false
	if r.boot != nil {
		row, ok = bootRowOf(r.boot.text())
	}
	switch {
	case key == "gohttp" && r.golang != nil:
		return r.golang.text(), r.golang
	case key == "node" && r.node != nil:
		return r.node.text(), r.node
	case key == "dotnetHttpClient" && r.dotnet != nil:
		return r.dotnet.text(), r.dotnet
	case (key == "jdkHttpClient" || key == "httpUrlConnection") && r.jdk != nil:
		return r.jdk.text(), r.jdk
	case key == "httpclient5" && ok:
		return row.httpclient5, r.boot
	case key == "tomcat" && ok:
		return row.tomcat, r.boot
	}
	return "", nil
}

// springOf is the Spring Framework version; "" if the stack has none.
func (r runtimeVersions) springOf() string {
	if r.spring != nil {
		return r.spring.text()
	}
	if r.boot != nil {
		row, _ := bootRowOf(r.boot.text())
		return row.spring
	}
	return ""
}

func (t *tree) versionsOf(layer string) runtimeVersions {
	l := t.layer(layer)
	if l == nil || l.App == nil {
		return runtimeVersions{}
	}
	return runtimeOf(t.at(l).app())
}

// version settles the version of a part of an app: its own, else the one that
// follows from the runtime. One that contradicts the runtime is noted.
func (t *tree) version(h here, p *part) {
	runtime := runtimeOf(h.app())
	implied, by := runtime.of(p.typ.Key)
	t.removed(h, p, runtime)
	own := p.blocks.value("version")
	if !own.known() {
		p.version = implied
		if by != nil && by == runtime.boot && p.typ.Key == "httpclient5" {
			t.coarseBoot(h, p, by)
		}
		return
	}
	p.version = own.text()
	if implied == "" || sameLine(p.version, implied) {
		return
	}
	t.notice(chain.Notice{
		Kind: chain.NoticeShadowed, Layer: h.layer.Name, Origin: by.Origin, Winner: own.Origin,
		Message: fmt.Sprintf("%s %s brings %s %s, but version %s is written and counts", by.name(), by.text(), p.typ.Key, implied, p.version),
	}, t.route.Name)
}

// sameLine reports whether one version is the other, or a coarser form of it.
func sameLine(a, b string) bool {
	return a == b || strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".")
}

// coarseBoot notes a Spring Boot version that leaves open which release of the
// client it brings.
func (t *tree) coarseBoot(h here, p *part, boot *Value) {
	first, drops, merges := "", "", false
	for _, r := range bootRows {
		if !strings.HasPrefix(r.from, boot.text()+".") {
			continue
		}
		first = cmp.Or(first, r.httpclient5)
		if (&hc5Config{spring: r.spring, version: r.httpclient5}).merges() {
			merges = true
		} else {
			drops = r.spring
		}
	}
	if drops != "" && merges && len(p.blocks.child("factory")) > 0 {
		t.notice(chain.Notice{
			Kind: chain.NoticeBoundary, Layer: h.layer.Name, Origin: boot.Origin,
			Message: fmt.Sprintf("%s %s brings Spring Framework %s, too, which drops the factory's timeouts: the patch version decides", boot.name(), boot.text(), drops),
		}, t.route.Name)
	}
	if first == "" || first == p.version {
		return
	}
	t.notice(chain.Notice{
		Kind: chain.NoticeBoundary, Layer: h.layer.Name, Origin: boot.Origin,
		Message: fmt.Sprintf("%s %s brings %s %s to %s: the patch version decides which timer governs", boot.name(), boot.text(), p.typ.Key, first, p.version),
	}, t.route.Name)
}

// removed notes a server that the Spring Boot release does not have any more.
func (t *tree) removed(h here, p *part, runtime runtimeVersions) {
	if p.typ.Key != "undertow" || runtime.boot == nil || !atLeast(runtime.boot.text(), "4.0.0") {
		return
	}
	t.notice(chain.Notice{
		Kind: chain.NoticeRejected, Layer: h.layer.Name, Origin: runtime.boot.Origin,
		Message: fmt.Sprintf("%s %s has no Undertow: 3.5 was the last", runtime.boot.name(), runtime.boot.text()),
	}, t.route.Name)
}
