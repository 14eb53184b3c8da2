package compile

import (
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

// of is the version of a type that follows from the runtime, with the value
// that says so; "" where none does.
func (r runtimeVersions) of(key string) (version string, by *Value) {
	boot := r.boot.text()
	row, ok := bootRow{}, false
	if boot != "" {
		row, ok = bootRowOf(boot)
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
		return row.httpclient5.of(row, boot), r.boot
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
	return springOfBoot(r.boot.text())
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
	p.runtime = runtime
	implied, by := runtime.of(p.typ.Key)
	t.removed(h, p, runtime)
	own := p.blocks.value("version")
	if !own.known() {
		p.version = implied
		if by != nil && by == runtime.boot && p.typ.Key == "httpclient5" {
			row, _ := bootRowOf(by.text())
			p.shown = row.httpclient5.text(row, by.text())
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
	})
}

// sameLine reports whether one version is the other, or a coarser form of it.
func sameLine(a, b string) bool {
	return a == b || strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".")
}

// removed notes a server that the Spring Boot release does not have any more.
func (t *tree) removed(h here, p *part, runtime runtimeVersions) {
	if p.typ.Key != "undertow" || runtime.boot == nil || !atLeast(runtime.boot.text(), "4.0.0") {
		return
	}
	t.notice(chain.Notice{
		Kind: chain.NoticeRejected, Layer: h.layer.Name, Origin: runtime.boot.Origin,
		Message: fmt.Sprintf("%s %s has no Undertow: 3.5 was the last", runtime.boot.name(), runtime.boot.text()),
	})
}
