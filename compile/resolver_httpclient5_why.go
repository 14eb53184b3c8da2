package compile

import (
	"cmp"
	"fmt"

	"tchain.dev/tchain/chain"
)

// whichRequest is the config that is in force as a whole, or the merge.
func (c *hc5Config) whichRequest() string {
	releases := fmt.Sprintf("(Spring %s, HttpClient %s)", c.springText, c.release())
	switch {
	case c.contextIsForeign && c.context == nil && c.spring != "":
		return "the context is no HttpClientContext and has no config: in every release the factory's values are merged into the client's config, field by field " + releases
	case c.contextIsForeign && c.contextIsDefault && c.spring != "":
		return "the context holds RequestConfig.DEFAULT itself, which counts as a config of its own since the context is no HttpClientContext " + releases
	case c.contextIsDefault && c.spring != "" && c.merges():
		return "the context holds RequestConfig.DEFAULT itself, which counts as no config since Spring 6.1.20 and 6.2.7: the factory's values are merged into the client's config, field by field " + releases
	case c.contextIsDefault && c.spring != "":
		return "the context holds RequestConfig.DEFAULT itself, which counts as a config of its own before Spring 6.1.20 and 6.2.7 " + releases
	case c.contextIsCopy && c.spring == "":
		return "the context's config, a copy of the client's, replaces it as a whole"
	case c.contextIsCopy:
		return "the context has a copy of the client's config, with its own values on top: the factory is not asked " + releases
	case c.context != nil && c.spring == "":
		return "the context's config replaces the client's as a whole"
	case c.context != nil:
		return "the context has a config of its own: client and factory are not asked " + releases
	case c.spring == "", c.factoryConnect == nil && c.factoryRead == nil && c.factoryRequest == nil:
		return "the client's config is in force"
	case !c.merges():
		return fmt.Sprintf("Spring %s with HttpClient %s drops the factory's values", c.springText, c.release())
	}
	return "the factory's values are merged into the client's config, field by field " + releases
}

func (c *hc5Config) release() string {
	return cmp.Or(c.versionText, c.version, "of the newest release")
}

func (c *hc5Config) whyWait(req hc5Request) string {
	if req.crt.origin.Source == chain.Default {
		return "no RequestConfig in force has a connectionRequestTimeout; " + c.whichRequest()
	}
	return c.whichRequest()
}

func (c *hc5Config) whyConnect(req hc5Request) string {
	why := "no RequestConfig in force has a connectTimeout, so the manager's connectionConfig counts"
	switch {
	case !c.has("5.2"):
		why = "RequestConfig's connectTimeout is the only one before 5.2; " + c.whichRequest()
	case req.rct != nil:
		why = "RequestConfig's connectTimeout beats the manager's; " + c.whichRequest()
	}
	if v := c.connect(req); v.d == 0 && !v.unknown {
		why += "; a 0 leaves it to the kernel"
	}
	return why
}

// whyKeep says when the keep-alive time counts at all.
func (c *hc5Config) whyKeep() string {
	why := "it counts where the server announces no time of its own"
	if c.context != nil {
		why += "; " + c.whichRequest()
	}
	return why
}

func (c *hc5Config) whyTLS() string {
	switch {
	case c.tunnel && c.has("5.5.1"):
		return "through a CONNECT tunnel, since 5.5.1: responseTimeout, else socketTimeout, else soTimeout"
	case c.tunnel && c.has("5.2"):
		return "through a CONNECT tunnel, from 5.2 to 5.5: handshakeTimeout, else responseTimeout, else socketTimeout, else soTimeout"
	case c.tunnel && c.has("5.0.2"):
		return "through a CONNECT tunnel, before 5.2: responseTimeout, else soTimeout"
	case c.tunnel:
		return "through a CONNECT tunnel, before 5.0.2: the connect timeout; if that is 0, responseTimeout, else soTimeout"
	case c.has("5.5.1"):
		return "since 5.5.1: handshakeTimeout, else the connect timeout"
	case c.has("5.2"):
		return "from 5.2 to 5.5: handshakeTimeout, else soTimeout"
	case c.has("5.0.2"):
		return "before 5.2: soTimeout"
	}
	return "before 5.0.2: soTimeout; if that is 0, the connect timeout"
}

func (c *hc5Config) whyRead(req hc5Request, winner *hc5Value) string {
	switch {
	case req.rt != nil:
		return "responseTimeout is written to the socket last, just before the request; " + c.whichRequest()
	case winner == c.hs && c.tunnel:
		return "from 5.2 to 5.5 the handshake through a CONNECT tunnel leaves handshakeTimeout on the socket, over socketTimeout, and no RequestConfig in force has a responseTimeout"
	case winner == c.hs:
		return "in 5.4 to 5.5 the handshake leaves handshakeTimeout on the socket, and nothing is written after it: neither socketTimeout nor responseTimeout"
	case winner == req.rct && c.tunnel:
		return "before 5.0.2 the handshake through a CONNECT tunnel leaves the connect timeout on the socket, and no RequestConfig in force has a responseTimeout"
	case !c.has("5.2"):
		return "no RequestConfig in force has a responseTimeout: soTimeout"
	}
	return "no RequestConfig in force has a responseTimeout: socketTimeout, else soTimeout"
}

// whyReused follows readReused.
func (c *hc5Config) whyReused(req hc5Request) string {
	const keeps = "a pooled connection keeps the responseTimeout of the latest request that had one, else "
	switch {
	case req.rt != nil:
		return "responseTimeout is written before each request, so what the connection remembers does not matter"
	case c.has("5.5.1") && c.st != nil:
		return "since 5.5.1 socketTimeout is written each time that a pooled connection is taken, over what it remembers"
	case c.has("5.6.1") && c.tunnel:
		return "since 5.6.1 a pooled connection gets back what it was opened with each time that it is taken; through a CONNECT tunnel that is the responseTimeout of the request that opened it, else soTimeout"
	case c.has("5.6.1"):
		return "since 5.6.1 a pooled connection gets back soTimeout each time that it is taken"
	case c.has("5.5.1") && c.https && !c.tunnel:
		return "from 5.5.1 to 5.6 " + keeps + "what its handshake had: handshakeTimeout, else the connect timeout"
	case c.has("5.5.1"):
		return "from 5.5.1 to 5.6 " + keeps + "soTimeout"
	case c.has("5.2"):
		return "before 5.5.1 " + keeps + "what it was opened with; socketTimeout is not written again"
	}
	return "before 5.2 " + keeps + "what it was opened with"
}

// whyNotByRelease is why a value has no effect in these releases; "" where they
// do not decide it.
func (c *hc5Config) whyNotByRelease(v *hc5Value) string {
	factory := v == c.factoryConnect || v == c.factoryRead || v == c.factoryRequest
	switch {
	case factory && c.context == nil && !c.merges():
		return fmt.Sprintf("Spring %s with HttpClient %s drops the factory's timeouts", c.springText, c.release())
	case v == c.factoryRead && !atLeast(c.spring, "6.1"):
		return "before Spring 6.1 the factory only logs that it has no effect"
	case v == c.hs && c.tunnel && c.has("5.5.1"):
		return "since 5.5.1 the handshake through a CONNECT tunnel does not use it"
	}
	return ""
}

func (p *hc5Pooled) whyDropped(v *hc5Value) string {
	c := p.config
	if why := c.whyNotByRelease(v); why != "" {
		return why
	}
	own := c.context != nil && !c.merges()
	switch v {
	case c.factoryConnect, c.factoryRead, c.factoryRequest:
		if own {
			return "the context has a config of its own"
		}
		return "another value beats it"
	case c.cct:
		return "RequestConfig's connectTimeout beats it"
	case c.st, c.so:
		return "overwritten on the socket by a later setting"
	case p.idleTimeout:
		return "it is no shorter"
	}
	switch {
	case v == p.request.ka && p.neverReused() != nil:
		return "no connection is kept"
	case v == p.request.ka && p.announced() != nil:
		return "the server announces a time of its own"
	case v == p.request.ka:
		return "the connection's idleTimeout is shorter"
	case own && c.contextIsCopy:
		return "the context's copy has a value of its own"
	case own:
		return "the context's config is in force as a whole"
	}
	return "the factory's value beats it"
}
