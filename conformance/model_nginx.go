package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// nginxTime is how NGINX writes a time that it keeps in milliseconds, and
// nginxSeconds one that it keeps in seconds.
var (
	nginxTime    = chain.Notation{Name: "an NGINX time", Units: []string{"w", "d", "h", "m", "s", "ms"}, Bare: "s", Combine: true, Spaces: true, Example: `"90s"`}
	nginxSeconds = chain.Notation{Name: "an NGINX time in seconds", Units: []string{"y", "M", "w", "d", "h", "m", "s"}, Bare: "s", Combine: true, Spaces: true, Example: `"10s"`}
)

// nginxConds are the failures that the words of proxy_next_upstream stand for.
var nginxConds = map[string][]chain.Cond{
	"error":    {chain.CondRefused, chain.CondReset, chain.CondStale, chain.CondKilled},
	"timeout":  {chain.CondConnectTimeout, chain.CondTLSTimeout, chain.CondWriteTimeout, chain.CondTimeout},
	"http_500": {"500"}, "http_502": {"502"}, "http_503": {"503"}, "http_504": {"504"},
	"http_403": {"403"}, "http_404": {"404"}, "http_429": {"429"},
}

// nginxRepeats are the methods that NGINX sends again once they were sent.
var nginxRepeats = []string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}

// modelOf is the route client → nginx → upstream that the settings of a scenario
// of NGINX mean, made by hand and not from the catalogue, so that the two can be
// held against each other.
func modelOf(s Scenario) (*chain.Route, error) {
	m := &nginxModel{settings: s.Settings}
	upstream := &chain.Node{Layer: Upstream, Type: "external", Role: chain.RoleLeaf}
	for _, c := range s.Upstreams {
		if c.Mode == fault.Slow {
			upstream.Work.Max = given("latency", time.Duration(c.DelayMS)*time.Millisecond)
		}
	}
	call := m.call(s, upstream)
	proxy := &chain.Node{
		Layer: NGINX, Type: NGINX, Product: NGINX, Role: chain.RolePassing, Cancel: chain.CancelPropagates,
		Steps: []chain.Step{{Calls: []*chain.Call{call}}},
		Answers: []chain.Answer{
			{Cond: chain.CondRefused, Status: 502}, {Cond: chain.CondReset, Status: 502},
			{Cond: chain.CondStale, Status: 502}, {Cond: chain.CondKilled, Status: 502},
		},
	}
	client := &chain.Node{
		Layer: "client", Role: chain.RoleCaller, Cancel: chain.CancelPropagates,
		Steps: []chain.Step{{Calls: []*chain.Call{{To: proxy, Addresses: 1, Layers: []chain.ClientLayer{{}}}}}},
	}
	return &chain.Route{
		Name: s.method() + " /", Method: s.method(), Pathname: "/", Prefix: true,
		Path: []string{client.Layer, proxy.Layer, upstream.Layer}, Root: client,
	}, m.err
}

type nginxModel struct {
	settings map[string]string
	err      error
}

func (m *nginxModel) call(s Scenario, to *chain.Node) *chain.Call {
	c := &chain.Call{To: to, Addresses: len(s.Upstreams), OneByOne: true, Skips: []chain.Moment{chain.AtResolved}}
	for _, u := range s.Upstreams {
		c.TLS = c.TLS || u.TLS
	}
	c.Layers = []chain.ClientLayer{{Limits: m.limits(), Retry: m.retry()}}
	if fails := m.number("upstream.server.max_fails", 1); fails.N > 0 && c.Addresses > 1 {
		c.Eject = &chain.Ejection{
			Fails: fails.N, For: m.time("upstream.server.fail_timeout", "10s", nginxSeconds).D,
			On: c.Layers[0].Retry.On, Answer: 502, Origin: fails.Origin,
		}
	}
	if m.number("upstream.keepalive", 0).N > 0 {
		c.Idle = []chain.Limit{m.limit("upstream.keepalive_timeout", chain.IdleKeepalive, chain.FiresClose)}
		c.Idle[0].Side = chain.Calling
		c.Resend = &chain.Retry{
			Attempts: chain.Size{N: 2, Origin: fixed("keepalive")}, Hidden: true, Origin: fixed("keepalive"),
			On: []chain.Cond{chain.CondStale, chain.CondReset}, OnMethods: nginxRepeats,
		}
	}
	return c
}

func (m *nginxModel) limits() []chain.Limit {
	connect := m.limit("proxy_connect_timeout", chain.Connect, "504")
	connect.End = chain.AtSecured
	gap := m.limit("proxy_read_timeout", chain.ResponseReadGap, chain.FiresCut)
	gap.Start = chain.AtHeaderEnd
	return []chain.Limit{
		connect,
		m.limit("proxy_send_timeout", chain.WriteGap, "504"),
		m.limit("proxy_read_timeout", chain.ResponseHeader, "504"),
		gap,
	}
}

func (m *nginxModel) retry() *chain.Retry {
	text, origin := m.text("proxy_next_upstream", "error timeout")
	r := &chain.Retry{
		CapAddresses: true, OnMethods: nginxRepeats, Hidden: origin.Source == chain.Default, Origin: origin,
		Attempts: m.number("proxy_next_upstream_tries", 0),
	}
	if window := m.time("proxy_next_upstream_timeout", "0", nginxTime); window.D > 0 {
		r.Window = window
	}
	for _, word := range strings.Fields(text) {
		switch conds, ok := nginxConds[word]; {
		case ok:
			r.On = append(r.On, conds...)
		case word == "non_idempotent":
			r.OnMethods = nil
		case word == "off":
			r.On = nil
			return r
		default:
			m.fail("proxy_next_upstream", fmt.Errorf("%q is not modelled", word))
		}
	}
	return r
}

// limit is a limit of a kind with the preset's moments; unset it is 60 s, as all
// times of NGINX that are used here.
func (m *nginxModel) limit(setting string, k chain.Kind, fires chain.Fires) chain.Limit {
	p, _ := chain.PresetOf(k)
	v := m.time(setting, "60s", nginxTime)
	return chain.Limit{Kind: k, Side: p.Side, Start: p.Start, End: p.End, Reset: p.Reset, Bound: v.D, Fires: fires, Origin: v.Origin}
}

func (m *nginxModel) time(setting, unset string, n chain.Notation) chain.Value {
	text, origin := m.text(setting, unset)
	d, err := n.Parse(text)
	m.fail(setting, err)
	return chain.Value{D: d, Origin: origin}
}

func (m *nginxModel) number(setting string, unset int) chain.Size {
	text, origin := m.text(setting, strconv.Itoa(unset))
	n, err := strconv.Atoi(text)
	m.fail(setting, err)
	return chain.Size{N: n, Origin: origin}
}

func (m *nginxModel) text(setting, unset string) (string, chain.Origin) {
	name := setting[strings.LastIndex(setting, ".")+1:]
	o := chain.Origin{Source: chain.Default, Layer: NGINX, Setting: "nginx.nginx." + setting, ID: "nginx." + name, Name: name, Text: unset, Product: NGINX, Proved: true}
	if text, ok := m.settings[setting]; ok {
		o.Source, o.Text = chain.Written, strings.Trim(text, `"`)
	}
	return o.Text, o
}

func (m *nginxModel) fail(setting string, err error) {
	if err != nil && m.err == nil {
		m.err = fmt.Errorf("%s: %w", setting, err)
	}
}

func given(name string, d time.Duration) chain.Value {
	return chain.Value{D: d, Origin: chain.Origin{Source: chain.Written, Layer: Upstream, Name: name}}
}

func fixed(name string) chain.Origin {
	return chain.Origin{Source: chain.Fixed, Layer: NGINX, Name: name, Product: NGINX, Proved: true}
}
