package compile

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

// derivations say for each timer which entrance won, what was dropped and why,
// and which version decides.
func (c *hc5Config) derivations(req hc5Request) []chain.Derivation {
	client, context := orEmpty(c.client), orEmpty(c.context)
	connect, read, reused := c.connect(req), c.readFresh(req), c.readReused(req, nil, nil)
	out := []chain.Derivation{
		c.derive("wait for a pooled connection", req.crt, c.whichRequest(), client.crt, context.crt, c.factoryRequest),
		c.derive("connect, for each address", connect, c.whyConnect(req), client.rct, context.rct, c.factoryConnect, c.cct),
	}
	if c.https {
		out = append(out, c.derive("TLS handshake, each read", c.tls(req), c.whyTLS(), c.hs))
	}
	out = append(out,
		c.derive("read, on a fresh connection", read, c.whyRead(req), client.rt, context.rt, c.factoryRead, c.st, c.so),
		c.derive("read, on a reused connection", reused, c.whyReused(req), client.rt, context.rt, c.factoryRead, c.st, c.so),
		c.derive("keep an idle connection", req.ka, "unless the server announces a time", client.ka, context.ka))
	if req.crt.d == 0 && !req.crt.unknown {
		out[0].Value = 0
	}
	return out
}

func (c *hc5Config) derive(timer string, winner *hc5Value, why string, written ...*hc5Value) chain.Derivation {
	d := chain.Derivation{Timer: timer, Value: winner.d, Winner: winner.origin, Why: why}
	if winner.d == 0 || winner.unknown {
		d.Value = chain.Never
	}
	seen := map[string]bool{winner.origin.Setting: winner.origin.Source != chain.Default}
	for _, v := range written {
		if v == nil || seen[v.origin.Setting] {
			continue
		}
		seen[v.origin.Setting] = true
		d.Dropped = append(d.Dropped, chain.Dropped{Origin: v.origin, Why: c.whyDropped(v)})
	}
	return d
}

// whichRequest is the config that is in force as a whole, or the merge.
func (c *hc5Config) whichRequest() string {
	switch {
	case c.spring == "" && c.context != nil:
		return "the context's config replaces the client's as a whole"
	case c.spring == "":
		return "the client's config"
	case !c.merges() && c.context != nil:
		return fmt.Sprintf("the context has a config of its own: client and factory are not asked (Spring %s, HttpClient %s)", c.spring, c.release())
	case !c.merges():
		return fmt.Sprintf("Spring %s with HttpClient %s drops the factory's values", c.spring, c.release())
	}
	return fmt.Sprintf("the factory's values are merged into the client's config, field by field (Spring %s, HttpClient %s)", c.spring, c.release())
}

func (c *hc5Config) release() string {
	if c.version == "" {
		return "of the newest release"
	}
	return c.version
}

func (c *hc5Config) whyConnect(req hc5Request) string {
	if req.rct != nil {
		return "RequestConfig's connectTimeout beats the manager's; " + c.whichRequest()
	}
	if !c.has("5.2") {
		return "RequestConfig's, the only one before 5.2"
	}
	return "no RequestConfig in force has a connectTimeout, so the manager's connectionConfig counts"
}

func (c *hc5Config) whyTLS() string {
	switch {
	case c.tunnel && c.has("5.5.1"):
		return "through a CONNECT tunnel, since 5.5.1: responseTimeout, else socketTimeout, else soTimeout; handshakeTimeout is ignored"
	case c.tunnel:
		return "through a CONNECT tunnel, before 5.5.1: handshakeTimeout, else responseTimeout, else socketTimeout, else soTimeout"
	case c.has("5.5.1"):
		return "since 5.5.1: handshakeTimeout, else the connect timeout"
	case c.has("5.2"):
		return "before 5.5.1: handshakeTimeout, else soTimeout"
	}
	return "before 5.2: soTimeout"
}

func (c *hc5Config) whyRead(req hc5Request) string {
	if req.rt != nil {
		return "responseTimeout is written to the socket last, just before the request; " + c.whichRequest()
	}
	return "no RequestConfig in force has a responseTimeout: socketTimeout, else soTimeout"
}

func (c *hc5Config) whyReused(req hc5Request) string {
	switch {
	case req.rt != nil:
		return "responseTimeout is written before each request, so what the connection remembers does not matter"
	case c.has("5.6.1"):
		return "since 5.6.1 socketTimeout, else soTimeout, is restored at each lease"
	case c.has("5.5.1"):
		return "5.5.1 to 5.6: socketTimeout at each lease, else what an earlier request or the handshake left"
	}
	return "before 5.5.1: what an earlier request left on the connection"
}

func (c *hc5Config) whyDropped(v *hc5Value) string {
	switch v {
	case c.factoryConnect, c.factoryRead, c.factoryRequest:
		switch {
		case c.context != nil && !c.merges():
			return "the context has a config of its own"
		case !c.merges():
			return "this Spring drops the factory's values with this HttpClient"
		case v == c.factoryRead && !atLeast(c.spring, "6.2"):
			return "Spring before 6.2 does not pass it on"
		}
		return "another value beats it"
	case c.cct:
		return "RequestConfig's connectTimeout beats it"
	case c.st, c.so:
		return "overwritten on the socket by a later setting"
	case c.hs:
		return "does not govern this handshake"
	}
	if c.context != nil {
		return "the context's config is in force as a whole"
	}
	return "the factory's value beats it"
}
