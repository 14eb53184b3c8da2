package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// An hc5Value is one setting of the client; a nil pointer is one that is not
// set. What a zero means is said where the value is used.
type hc5Value struct {
	d       time.Duration
	unknown bool // injected and not given: it wins as any value does, but its time is not known
	origin  chain.Origin
}

// An hc5Request is a RequestConfig: pool wait, connect, response and keep-alive.
type hc5Request struct {
	crt, rct, rt, ka *hc5Value
	ownCRT, ownKA    *hc5Value // the defaults as they stand there; nil is as of the client
}

// An hc5Config is all that competes for the timers of one request.
type hc5Config struct {
	version string // of the client; "" is the newest
	spring  string // "" is the plain client
	// The releases in words, where they are not known to the patch.
	versionText, springText string
	https                   bool
	tunnel                  bool // through a forward proxy's CONNECT

	client  *hc5Request // the client's default config; nil if it has none
	context *hc5Request // the config in the request's context; nil if there is none
	// contextIsDefault says that the context holds the object RequestConfig.DEFAULT
	// itself, which newer Spring releases take for none.
	contextIsDefault bool
	contextIsCopy    bool // of the client's config, with values of its own on top
	contextIsForeign bool // it is no HttpClientContext, so that Spring asks for its attribute only
	contextSwitches  []*setting

	factoryConnect, factoryRead, factoryRequest *hc5Value

	cct, st *hc5Value // ConnectionConfig: connectTimeout, socketTimeout
	so      *hc5Value // SocketConfig: soTimeout
	hs      *hc5Value // TlsConfig: handshakeTimeout

	// The product's own values, for what is not set.
	defaultCRT, defaultKA, defaultCCT, defaultSO hc5Value
}

// has reports whether the client is of a release or newer. Releases of the
// client are exact: 5.5 is older than 5.5.1.
func (c *hc5Config) has(release string) bool {
	if c.version == "" {
		return true
	}
	v, r := versionParts(c.version), versionParts(release)
	for i := range max(len(v), len(r)) {
		a, b := 0, 0
		if i < len(v) {
			a = v[i]
		}
		if i < len(r) {
			b = r[i]
		}
		if a != b {
			return a > b
		}
	}
	return true
}

func first(values ...*hc5Value) *hc5Value {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// built is a RequestConfig as its builder makes it: what must have a value has one.
func (c *hc5Config) built(r *hc5Request) hc5Request {
	if r == nil {
		r = &hc5Request{}
	}
	out := hc5Request{crt: first(r.crt, r.ownCRT, &c.defaultCRT), ka: first(r.ka, r.ownKA, &c.defaultKA), rct: r.rct, rt: r.rt}
	if !c.has("5.2") {
		out.rct = first(r.rct, &c.defaultCCT)
	}
	return out
}

// merges reports whether Spring merges the factory's values into the client's
// config. It does not if the context has a config, and in some pairs of
// releases it never does with an HttpClientContext. Of another context any config
// counts, RequestConfig.DEFAULT too.
func (c *hc5Config) merges() bool {
	oldest := !atLeast(c.spring, "6.1.15")
	middle := !oldest && !atLeast(c.spring, "6.1.20") || atLeast(c.spring, "6.2.0") && !atLeast(c.spring, "6.2.7")
	switch {
	case c.contextIsForeign:
		return c.context == nil
	case oldest:
		return !c.has("5.4") && c.context == nil
	case middle:
		return c.has("5.4") && c.context == nil
	}
	return c.context == nil || c.contextIsDefault
}

// contextCounts reports whether the context's config is in force, as a whole.
func (c *hc5Config) contextCounts() bool {
	return c.context != nil && (c.spring == "" || !c.merges())
}

// request is the RequestConfig in force. It is chosen as a whole, except that
// Spring merges its factory's values into the client's field by field.
func (c *hc5Config) request() hc5Request {
	switch {
	case c.contextCounts():
		return c.built(c.context)
	case c.spring == "" || !c.merges():
		return c.built(c.client)
	}
	out := c.built(c.client)
	if !atLeast(c.spring, "7.0") {
		out.rct = first(c.factoryConnect, out.rct)
	}
	if atLeast(c.spring, "6.2") {
		out.rt = first(c.factoryRead, out.rt)
	}
	out.crt = first(c.factoryRequest, out.crt)
	return out
}

// connect is the time for one address, 0 for no limit but the kernel's.
func (c *hc5Config) connect(r hc5Request) *hc5Value {
	if !c.has("5.2") {
		return first(r.rct, &c.defaultCCT)
	}
	return first(r.rct, c.cct, &c.defaultCCT)
}

func (c *hc5Config) socket() *hc5Value { return first(c.so, &c.defaultSO) }

// tls is the time of one read of the handshake, 0 for no limit.
func (c *hc5Config) tls(r hc5Request) *hc5Value {
	so, ct := c.socket(), c.connect(r)
	switch {
	case c.tunnel && c.has("5.5.1"):
		return first(r.rt, c.st, so)
	case c.tunnel && c.has("5.2"):
		return first(c.hs, r.rt, c.st, so)
	case c.tunnel && c.has("5.0.2"):
		return first(r.rt, so)
	case c.tunnel && r.rct != nil && r.rct.d > 0:
		return r.rct
	case c.tunnel:
		return first(r.rt, so)
	case c.has("5.5.1"):
		return first(c.hs, ct)
	case c.has("5.2"):
		return first(c.hs, so)
	case c.has("5.0.2") || so.d != 0:
		return so
	}
	return ct
}

// tunnelled is the time of one read of a proxy's answer to CONNECT, 0 for no limit.
func (c *hc5Config) tunnelled(r hc5Request) *hc5Value {
	return first(r.rt, c.st, c.socket())
}

// readFresh is the time of one read on a connection that this request opened,
// 0 for no limit: the value that was written to the socket last.
func (c *hc5Config) readFresh(r hc5Request) *hc5Value {
	switch {
	case r.rt != nil:
		return r.rt
	case c.tunnel && !c.has("5.0.2") && r.rct != nil && r.rct.d > 0:
		return r.rct
	case c.tunnel && c.has("5.2") && !c.has("5.5.1") && c.hs != nil:
		return c.hs
	case c.has("5.2") && c.st != nil:
		return c.st
	case c.https && !c.tunnel && c.has("5.4") && !c.has("5.5.1") && c.hs != nil:
		return c.hs
	}
	return c.socket()
}

// readReused is the time of one read on a pooled connection, 0 for no limit.
// last is the response timeout of the latest earlier request on it that had
// one, nil if none had; opener is the config of the request that opened it.
func (c *hc5Config) readReused(r hc5Request, last *hc5Value, opener hc5Request) *hc5Value {
	switch {
	case r.rt != nil:
		return r.rt
	case c.has("5.6.1") && c.tunnel:
		return first(c.st, opener.rt, c.socket())
	case c.has("5.6.1"):
		return first(c.st, c.socket())
	case c.has("5.5.1") && c.st != nil:
		return c.st
	case last != nil:
		return last
	case c.has("5.5.1") && c.https && !c.tunnel:
		return first(c.hs, c.connect(opener))
	case c.has("5.5.1"):
		return c.socket()
	}
	return c.readFresh(opener)
}
