package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// An hc5Reader takes the competing settings out of what a stack says.
type hc5Reader struct {
	clientInput
	out         *clientOutput
	boot        string // "" is open
	release     string // of the client; "" is the newest
	framework   string // the Spring release; "" where nothing is of it
	before      *Value // a release that has no factory for the client; nil if it has one
	idleTimeout *hc5Value
	contexts    []hc5Context
	lost        map[string][]chain.Dropped // written values that compete for nothing, by the timer
	unused      []string                   // settings of upkeep that a replaced ConnectionConfig drops
}

// written is a setting that was written; nil if it was not.
func (in clientInput) written(name string) *hc5Value { return in.find(name).hc5() }

func (s *setting) hc5() *hc5Value {
	if !s.written() {
		return nil
	}
	return &hc5Value{d: s.d, unknown: s.state == unknown, origin: s.origin}
}

// defaulted is a setting that has its default; nil if it has not.
func (s *setting) defaulted() *hc5Value {
	if s == nil || s.state != known || s.origin.Source != chain.Default {
		return nil
	}
	return &hc5Value{d: s.d, origin: s.origin}
}

// fallback is a setting's value in the product's own default.
func (in clientInput) fallback(name string) hc5Value {
	s := in.find(name)
	if s == nil {
		return hc5Value{}
	}
	spec, _ := in.defaultOf(frame{}, s.field)
	_, d := parseDefault(s.field, spec.Value)
	o := s.origin
	o.Source, o.Text, o.Note, o.Estimate = chain.Default, spec.Value, "", ""
	if s.written() {
		o.StandAt(chain.Origin{Pos: in.pos})
		o.Place = nil
	}
	return hc5Value{d: d, origin: o}
}

func (r *hc5Reader) config() *hc5Config {
	c := &hc5Config{
		version: r.release, spring: r.framework, versionText: r.shown, springText: r.frameworkText(), https: r.HTTPS, tunnel: r.Tunnel,
		client:         r.request(r.find, "client.requestConfig."),
		factoryConnect: r.written("factory.connectTimeout"),
		factoryRead:    r.written("factory.readTimeout"),
		factoryRequest: r.written("factory.connectionRequestTimeout"),
		cct:            r.written("manager.connectionConfig.connectTimeout"),
		st:             r.written("manager.connectionConfig.socketTimeout"),
		so:             r.written("manager.socketConfig.soTimeout"),
		hs:             r.written("manager.tlsConfig.handshakeTimeout"),
		defaultCRT:     r.fallback("client.requestConfig.connectionRequestTimeout"),
		defaultKA:      r.fallback("client.requestConfig.connectionKeepAlive"),
		defaultCCT:     r.fallback("manager.connectionConfig.connectTimeout"),
		defaultSO:      r.fallback("manager.socketConfig.soTimeout"),
	}
	r.withoutFactory(c)
	r.releases(c)
	r.replaced(c)
	if r.before == nil {
		r.properties(c)
	}
	r.inContexts(c)
	return c
}

// releases takes the values out that the releases in use do not have.
func (r *hc5Reader) releases(c *hc5Config) {
	since := func(v **hc5Value, release, timer string) {
		if *v != nil && !c.has(release) {
			r.refuse(chain.NoticeRejected, timer, *v, "is there since "+release+", not in "+c.version)
			*v = nil
		}
	}
	since(&c.cct, "5.2", timerConnect)
	since(&c.hs, "5.2", timerTLS)
	since(&c.st, "5.2", timerRead)
	r.idleTimeout = r.written("manager.connectionConfig.idleTimeout")
	since(&r.idleTimeout, "5.6", timerKeep)
	if r.idleTimeout != nil && r.idleTimeout.d == 0 {
		r.idleTimeout = nil // off
	}
	if v := c.factoryConnect; v != nil && atLeast(c.spring, "7.0") {
		r.refuse(chain.NoticeRejected, timerConnect, v, "is gone since Spring 7.0: the call does not compile")
		c.factoryConnect = nil
	}
	if v := c.factoryRead; v != nil && atLeast(c.spring, "6.1") && !atLeast(c.spring, "6.2") {
		r.refuse(chain.NoticeRejected, timerRead, v, "is not there in Spring 6.1, only before and since 6.2: the call does not compile")
		c.factoryRead = nil
	}
}

// replacing are the builder's deprecated methods that make a ConnectionConfig of
// their own, each with what to write instead.
var replacing = []struct{ name, instead string }{
	{"manager.connectionTimeToLive", "connectionConfig.timeToLive"},
	{"manager.validateAfterInactivity", "connectionConfig.validateAfterInactivity"},
}

// replaced takes out what a deprecated method of the builder drops with the
// ConnectionConfig. Whether it is called last is not known; called first it would
// be without effect itself. Of two the first of replacing is taken for the later.
func (r *hc5Reader) replaced(c *hc5Config) {
	i := slices.IndexFunc(replacing, func(m struct{ name, instead string }) bool { return r.written(m.name) != nil })
	if i < 0 {
		return
	}
	by := replacing[i]
	drop := func(v **hc5Value, timer string) {
		if *v != nil {
			r.refuse(chain.NoticeIgnored, timer, *v, "is dropped by "+by.name+", which replaces the whole connectionConfig: write "+by.instead+" instead")
			*v = nil
		}
	}
	ttl := r.written("manager.connectionConfig.timeToLive")
	drop(&c.cct, timerConnect)
	drop(&c.st, timerRead)
	drop(&r.idleTimeout, timerKeep)
	drop(&ttl, timerKeep)
	r.unused = []string{"manager.connectionConfig.timeToLive"}
	for _, name := range []string{"manager.connectionConfig.validateAfterInactivity", "manager.validateAfterInactivity"} {
		v := r.written(name)
		if name == by.name || v == nil && by.name != "manager.validateAfterInactivity" {
			continue // it counts, or its default does
		}
		drop(&v, timerKeep)
		r.unused = append(r.unused, name)
	}
}

func (r *hc5Reader) notice(kind chain.NoticeKind, o chain.Origin, message string) {
	r.out.Notices = append(r.out.Notices, chain.Notice{Kind: kind, Origin: o, Message: message})
}

// refuse notes a written value that is not taken, and keeps it for the timer
// that it was meant for.
func (r *hc5Reader) refuse(kind chain.NoticeKind, timer string, v *hc5Value, why string) {
	r.notice(kind, v.origin, entrance(v.origin)+" "+why)
	r.lose(timer, v, "it "+why)
}

func (r *hc5Reader) lose(timer string, v *hc5Value, why string) {
	if r.lost == nil {
		r.lost = map[string][]chain.Dropped{}
	}
	r.lost[timer] = append(r.lost[timer], chain.Dropped{Origin: v.origin, Why: why})
}

// neverReused is the setting by which no connection is used a second time; nil
// if there is none.
func (r *hc5Reader) neverReused() *hc5Value {
	ttl := first(r.written("manager.connectionTimeToLive"), r.written("manager.connectionConfig.timeToLive"))
	if ttl != nil && ttl.d == 0 && !ttl.unknown {
		return ttl
	}
	return nil
}

// newHC5Reader is a reader by the releases that the stack names.
func newHC5Reader(in clientInput, out *clientOutput) *hc5Reader {
	r := &hc5Reader{clientInput: in, out: out, boot: in.versions.boot.text(), release: hc5Lineage.release(in.version)}
	if in.version != "" {
		if _, never := hc5Lineage.strange(in.version); never {
			r.release = "" // what it is instead is not known
		}
	}
	r.framework = r.spring()
	if r.before = in.beforeHC5(); r.before != nil { // the client is used without Spring
		r.boot, r.framework, r.versions.boot, r.versions.spring = "", "", nil, nil
	}
	return r
}

// springValue is the Spring version as it is written, at the client or at the
// runtime; nil if it is not.
func (r *hc5Reader) springValue() *Value {
	if v := r.blocks.value("spring"); v.known() {
		return v
	}
	return r.versions.spring
}

// spring is the Spring release in use: as written, as Spring Boot brings it, else
// the newest that has what is written of its factory; "" where nothing is.
func (r *hc5Reader) spring() string {
	switch v := r.springValue(); {
	case v.known():
		return v.text()
	case r.versions.boot.known():
		return springOfBoot(r.boot)
	case r.written("factory.connectTimeout") != nil:
		return "6.2.19"
	case r.written("factory.readTimeout") != nil, r.written("factory.connectionRequestTimeout") != nil:
		return "7.0.10"
	}
	return ""
}

// frameworkText is the Spring release in words.
func (r *hc5Reader) frameworkText() string {
	if r.boot != "" && r.framework == springOfBoot(r.boot) {
		return springText(r.boot)
	}
	return r.framework
}

// request is a RequestConfig as written; nil if nothing is written of it.
func (r *hc5Reader) request(find func(string) *setting, prefix string) *hc5Request {
	out := hc5Request{
		crt: find(prefix + "connectionRequestTimeout").hc5(), rct: find(prefix + "connectTimeout").hc5(),
		rt: find(prefix + "responseTimeout").hc5(), ka: find(prefix + "connectionKeepAlive").hc5(),
	}
	if out == (hc5Request{}) {
		return nil
	}
	return &out
}

// springDuration is how Spring binds one: a bare number is milliseconds. The schema has it
// as #SpringDuration, https://docs.spring.io/spring-boot/reference/features/external-config.html.
var springDuration = chain.Notation{
	Name: "a Spring duration", Units: []string{"d", "h", "m", "s", "ms", "us", "ns"}, Bare: "ms",
	Signed: true, Plus: true, AnyCase: true, ISO: true, Example: `"5s"`,
}

// springTime reads a duration as Spring binds it; one that is negative bounds nothing.
func springTime(v *Value) (time.Duration, bool) {
	switch raw := v.rawOf().(type) {
	case int64:
		return time.Duration(raw) * time.Millisecond, true
	case string:
		d, err := springDuration.Parse(raw)
		return d, err == nil && d >= 0
	}
	return 0, false
}
