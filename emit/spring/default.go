package spring

import (
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// A competitor is what a constant of a request is from where no context has a say: the
// first of its settings that has a value, unless the request factory has one, which
// counts in some releases only.
type competitor struct {
	settings []string
	factory  string
}

var competitors = map[string]competitor{
	"POOL_WAIT":  {[]string{"client.requestConfig.connectionRequestTimeout"}, "factory.connectionRequestTimeout"},
	"CONNECT":    {[]string{"client.requestConfig.connectTimeout", "manager.connectionConfig.connectTimeout"}, "factory.connectTimeout"},
	"RESPONSE":   {[]string{"client.requestConfig.responseTimeout", "manager.connectionConfig.socketTimeout", "manager.socketConfig.soTimeout"}, "factory.readTimeout"},
	"KEEP_ALIVE": {[]string{"client.requestConfig.connectionKeepAlive"}, ""},
}

// withoutContext takes back what the context of a single path decides: the client's own
// configuration is for the calls of every other path.
func (p *plan) withoutContext(cl *limits.Client, base limits.Use, c *emit.Collector) {
	for i, k := range p.constants {
		if !strings.Contains(k.setting, ".httpclient5.context.") {
			continue
		}
		name := k.name
		if name == "TLS_READ" { // which follows another one where a context decides it
			if name = "CONNECT"; base.Call.Via != "" {
				name = "RESPONSE"
			}
		}
		s := clients(cl, base, name)
		value, ok := k.ofClient(s)
		if !ok {
			c.Warn(k.setting, k.name+" of this path is that of all others, too: what they have of the client is not known here")
			continue
		}
		p.constants[i].value, p.constants[i].comment, p.constants[i].setting = value, emit.From(s.Origin), s.Origin.Setting
	}
}

// clients is the setting that a constant is from without a context; none if it is not
// known.
func clients(cl *limits.Client, u limits.Use, name string) chain.Setting {
	of, ok := competitors[name]
	if !ok {
		return switchOf(cl, name)
	}
	if setting(cl, u, "httpclient5."+of.factory).Value != "" {
		return chain.Setting{}
	}
	for _, id := range of.settings {
		if s := setting(cl, u, "httpclient5."+id); s.Value != "" {
			return s
		}
	}
	return chain.Setting{}
}

// switchOf is what the client says of a switch, of which a route has only the one in
// force.
func switchOf(cl *limits.Client, constant string) chain.Setting {
	at := slices.IndexFunc(switches, func(k switchConstant) bool { return k.constant == constant })
	if at < 0 {
		return chain.Setting{}
	}
	for _, u := range cl.Uses {
		if s := inRequest(cl, u, switches[at].name); !strings.Contains(s.Origin.Setting, ".httpclient5.context.") {
			return s
		}
	}
	return chain.Setting{}
}

// ofClient is the constant's value in Java by a setting of the client.
func (k constant) ofClient(s chain.Setting) (string, bool) {
	if k.kind == "boolean" || k.kind == "int" {
		return javaNumber(s.Value), s.Value != ""
	}
	d, err := time.ParseDuration(s.Value)
	switch {
	case err != nil || d%time.Millisecond != 0:
		return "", false
	case d <= 0 && k.name != "POOL_WAIT" && k.kind == "Timeout":
		return "Timeout.DISABLED", true
	}
	return k.kind + ".ofMilliseconds(" + number(d.Milliseconds()) + ")", true
}
