package compile

import (
	"strconv"
	"time"

	"tchain.dev/tchain/chain"
)

// An hc5Reader takes the competing settings out of what a stack says.
type hc5Reader struct {
	clientInput
	out   *clientOutput
	boot  string // "" is open
	other []*hc5Request
}

// written is a setting that was written; nil if it was not.
func (in clientInput) written(name string) *hc5Value { return in.find(name).hc5() }

func (s *setting) hc5() *hc5Value {
	if !s.written() {
		return nil
	}
	return &hc5Value{d: s.d, unknown: s.state == unknown, origin: s.origin}
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
		o.Pos, o.Shared, o.Place = in.pos, chain.Range{}, nil
	}
	return hc5Value{d: d, origin: o}
}

func (r *hc5Reader) config() *hc5Config {
	c := &hc5Config{
		version: r.version, spring: r.spring(), https: r.HTTPS, tunnel: r.Tunnel,
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
	if !c.has("5.2") {
		c.cct, c.st, c.hs = r.tooNew(c.cct, "5.2"), r.tooNew(c.st, "5.2"), r.tooNew(c.hs, "5.2")
	}
	if c.spring != "" && atLeast(c.spring, "7.0") && c.factoryConnect != nil {
		r.notice(chain.NoticeRejected, c.factoryConnect.origin, "factory.connectTimeout is gone since Spring 7.0: the call does not compile")
		c.factoryConnect = nil
	}
	r.properties(c)
	r.contexts(c)
	return c
}

func (r *hc5Reader) notice(kind chain.NoticeKind, o chain.Origin, message string) {
	r.out.Notices = append(r.out.Notices, chain.Notice{Kind: kind, Origin: o, Message: message})
}

// tooNew drops a setting that the release does not have yet.
func (r *hc5Reader) tooNew(v *hc5Value, since string) *hc5Value {
	if v != nil {
		r.notice(chain.NoticeRejected, v.origin, v.origin.Name+" is there since "+since+", not in "+r.version)
	}
	return nil
}

// spring is the Spring release in use: as written at the client, by the
// runtime, else the newest that has what is written of its factory; "" where
// nothing is.
func (r *hc5Reader) spring() string {
	if v := r.blocks.value("spring"); v.known() {
		return v.text()
	}
	if s := r.versions.springOf(); s != "" {
		return s
	}
	switch {
	case r.written("factory.connectTimeout") != nil:
		return "6.2.19"
	case r.written("factory.readTimeout") != nil, r.written("factory.connectionRequestTimeout") != nil:
		return "7.0.9"
	}
	return ""
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

// contexts picks the context whose path the route has, and keeps the configs of
// all others, whose limits may stay on a pooled connection.
func (r *hc5Reader) contexts(c *hc5Config) {
	keys := r.keysOf("context")
	mine, ok := r.match(keys)
	for _, key := range keys {
		settings := r.keyed("context", key)
		for _, s := range settings {
			if s.state == unknown {
				r.out.NotChecked = append(r.out.NotChecked, s.origin.Setting+" is "+unknownBound)
			}
		}
		find := func(name string) *setting {
			for _, s := range settings {
				if s.name == name {
					return s
				}
			}
			return nil
		}
		config := r.request(find, "")
		if config == nil {
			config = &hc5Request{}
		}
		if s := find("copyOf"); s.written() && s.text == "client" && c.client != nil {
			config.crt, config.rct = first(config.crt, c.client.crt), first(config.rct, c.client.rct)
			config.rt, config.ka = first(config.rt, c.client.rt), first(config.ka, c.client.ka)
		}
		if ok && key == mine {
			c.context = config
			continue
		}
		r.other = append(r.other, config)
		if !r.reached(key) {
			r.out.NotChecked = append(r.out.NotChecked, "context "+strconv.Quote(key)+" is of no route: when it is used is not known")
		}
	}
	if c.context != nil {
		base := *c
		base.context = nil
		config := base.request()
		r.other = append(r.other, &config)
	}
}

// reached reports whether any route of the stack has the path of a context.
func (r *hc5Reader) reached(key string) bool {
	for _, at := range r.Paths {
		e := &effective{location: at}
		if _, ok := e.match([]string{key}); ok {
			return true
		}
	}
	return false
}

// springTime reads a duration as Spring binds it: a bare number is milliseconds.
func springTime(v *Value) (time.Duration, bool) {
	switch raw := v.rawOf().(type) {
	case int64:
		return time.Duration(raw) * time.Millisecond, true
	case string:
		n := chain.Notation{Name: "a Spring duration", Units: []string{"d", "h", "m", "s", "ms", "us", "ns"}, Bare: "ms", Example: `"5s"`}
		d, err := n.Parse(raw)
		return d, err == nil
	}
	return 0, false
}
