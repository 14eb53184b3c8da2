package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// An hc5Context is the config that a context carries on a request path.
type hc5Context struct {
	key       string
	request   hc5Request
	switches  []*setting // those of switches that it has, its defaults too
	isDefault bool       // it is the object RequestConfig.DEFAULT itself
	isCopy    bool       // of the client's config
	isNone    bool       // it has no config at all
	isForeign bool       // it is no HttpClientContext
	part      bool       // it holds for a part of this route's paths only
}

// inContexts picks the context whose path the route has. Those that hold for a
// part of the route are kept, since their limits may stay on a pooled connection.
func (r *hc5Reader) inContexts(c *hc5Config) {
	keys := r.keysOf("context")
	mine, ok := r.location.closest(keys)
	for _, key := range keys {
		whole := ok && key == mine
		x := r.context(c, key, whole)
		if _, x.part = r.location.under(key); x.part {
			r.leaveOpen(key)
		}
		r.contexts = append(r.contexts, x)
		if whole {
			c.carry(x)
		}
	}
}

// carry puts a context's config on the request.
func (c *hc5Config) carry(x hc5Context) {
	c.context, c.contextIsDefault, c.contextIsCopy, c.contextIsForeign = &x.request, x.isDefault, x.isCopy, x.isForeign
	c.contextSwitches = x.switches
	if x.isNone {
		c.context = nil
	}
}

// context reads what stands under one path. mine says that the route has it.
func (r *hc5Reader) context(c *hc5Config, key string, mine bool) hc5Context {
	settings := r.keyed("context", key)
	find := func(name string) *setting {
		for _, s := range settings {
			if s.name == name {
				return s
			}
		}
		return nil
	}
	for _, s := range settings {
		if s.state == unknown {
			r.out.NotChecked = append(r.out.NotChecked, notGiven(s.origin.Setting, ""))
		}
	}
	x := hc5Context{key: key}
	if s := find("object"); s.written() {
		x.isDefault, x.isNone = s.text == "DEFAULT", s.text == "none"
	}
	if s := find("class"); s.written() {
		x.isForeign = s.text != "HttpClientContext"
	}
	for _, name := range switches {
		x.switches = append(x.switches, find(name))
	}
	x.request.ownCRT, x.request.ownKA = find("connectionRequestTimeout").defaulted(), find("connectionKeepAlive").defaulted()
	if x.isDefault || x.isNone {
		if mine {
			r.noneBeside(settings, x.isNone)
		}
		return x
	}
	if own := r.request(find, ""); own != nil {
		own.ownCRT, own.ownKA = x.request.ownCRT, x.request.ownKA
		x.request = *own
	}
	if s := find("copyOf"); s.written() && s.text == "client" && c.client != nil {
		x.isCopy = true
		x.request.crt, x.request.rct = first(x.request.crt, c.client.crt), first(x.request.rct, c.client.rct)
		x.request.rt, x.request.ka = first(x.request.rt, c.client.rt), first(x.request.ka, c.client.ka)
	}
	return x
}

// switches are the settings of a RequestConfig that are no timers.
var switches = []string{"expectContinueEnabled", "redirectsEnabled", "maxRedirects"}

// switched are the client's settings with those of the context in their place, where
// that counts: as its timers do, as a whole, or on top of what it is a copy of.
func (r *hc5Reader) switched(c *hc5Config) []*setting {
	if !c.contextCounts() {
		return r.settings
	}
	out := slices.Clone(r.settings)
	for i, s := range out {
		at := slices.IndexFunc(c.contextSwitches, func(own *setting) bool { return own != nil && s.name == "client.requestConfig."+own.name })
		if at < 0 || c.contextIsCopy && !c.contextSwitches[at].written() {
			continue
		}
		own, instead := c.contextSwitches[at], *s
		instead.state, instead.raw, instead.text, instead.origin = own.state, own.raw, own.text, own.origin
		out[i] = &instead
	}
	return out
}

// noneBeside refuses what is written beside an object that cannot be changed, or
// is not there.
func (r *hc5Reader) noneBeside(settings []*setting, absent bool) {
	why := `is not taken beside object, which is RequestConfig.DEFAULT as it is; a copy that can be changed is copyOf: "DEFAULT"`
	if absent {
		why = `is not taken beside object: "none": then the context has no config that it could be of`
	}
	timers := map[string]string{"connectionRequestTimeout": timerWait, "connectTimeout": timerConnect, "responseTimeout": timerRead, "connectionKeepAlive": timerKeep}
	for _, s := range settings {
		if v := s.hc5(); v != nil && s.name != "object" && s.name != "class" {
			r.refuse(chain.NoticeRejected, timers[s.name], v, why)
		}
	}
}

// sends are the configs that the route's requests have: its own, and those of
// contexts that hold for a part of it.
func (p *hc5Pooled) sends(route string) []hc5Sender {
	out := []hc5Sender{{p.request, []string{route}}}
	for _, x := range p.contexts {
		if x.part {
			c := *p.config
			c.carry(x)
			out = append(out, hc5Sender{c.request(), []string{route + " at " + x.key}})
		}
	}
	return out
}
