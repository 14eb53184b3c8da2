package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// nginxLooksAtMethods is the release since which a POST, LOCK or PATCH that was
// sent is not passed to the next server: https://nginx.org/en/CHANGES, 1.9.13.
const nginxLooksAtMethods = "1.9.13"

// nginxSpeaksHTTP2 is the release since which proxy_http_version may be 2; before,
// nginx -t says: invalid value "2". https://nginx.org/en/CHANGES, 1.29.4.
const nginxSpeaksHTTP2 = "1.29.4"

// nginxPasses are the ways of handing on that have directives of their own.
var nginxPasses = []string{"grpc_", "fastcgi_", "uwsgi_", "scgi_", "memcached_"}

// undescribedNGINX answers a directive of another module than that of proxy_pass: the
// one of proxy_pass with nearly the same name means nothing to it.
func undescribedNGINX(name string) string {
	for _, pass := range nginxPasses {
		if strings.HasPrefix(name, pass) {
			return "the " + pass + "* directives are not described, and proxy_* ones say nothing about " + pass + "pass; describe the layer as custom"
		}
	}
	return ""
}

// adjustNGINX settles whether connections to the upstream are kept. Before 1.9.13 any
// method is passed to the next server.
func adjustNGINX(e *effective) {
	if next := e.find("proxy_next_upstream"); next != nil && e.version != "" && !atLeast(e.version, nginxLooksAtMethods) {
		next.repeatsAnyMethod()
	}
	e.nginxSpeaks(e.find("proxy_http_version"))
	e.nginxUpgrades(e.find("proxy_http_version"), e.find("proxy_set_header.Connection"), e.find("proxy_set_header.Upgrade"))
	e.nginxKeeps(e.find("keepalive"), e.find("proxy_http_version"), e.find("proxy_set_header.Connection"))
}

// nginxSpeaks refuses a version of HTTP that a release does not know.
func (e *effective) nginxSpeaks(protocol *setting) {
	if protocol == nil || protocol.state != known || protocol.text != "2" || e.version == "" || tooCoarse(e.version, nginxSpeaksHTTP2) || atLeast(e.version, nginxSpeaksHTTP2) {
		return
	}
	e.remark(chain.NoticeRejected, protocol, nil, "proxy_http_version 2 is an invalid value before %s: NGINX does not start", nginxSpeaksHTTP2)
	e.notices[len(e.notices)-1].Remedy = []chain.Change{{Origin: protocol.origin, Text: "1.1"}}
}

// nginxKeeps says whether the connections that keepalive asks for can be had: with
// HTTP/1.0 every request is a connection of its own, and so it is where the upstream
// is told to close it.
func (e *effective) nginxKeeps(keep, protocol, connection *setting) {
	if keep == nil || keep.state != known || keep.number() == 0 {
		return
	}
	closes := connection.lists("close")
	if closes {
		connection.text = "close" // for what asks for it, whatever stands beside it
	}
	d := chain.Derivation{Timer: "keep an idle connection", Off: true, Settled: chain.Settled{Value: chain.Never}}
	var why, write []string
	var remedy []chain.Change
	for _, x := range []struct {
		s          *setting
		is         bool
		why, write string
		to         string
	}{
		{protocol, protocol != nil && protocol.text == "1.0", "speaks HTTP/1.0 (one request a connection)", `proxy_http_version: "1.1"`, "1.1"},
		{connection, closes, "tells it to close each connection", `proxy_set_header: Connection: ""`, ""},
	} {
		if x.is {
			d.Winner = x.s.origin
			why, write = append(why, x.why), append(write, x.write)
			remedy = append(remedy, chain.Change{Origin: x.s.origin, Text: x.to})
		}
	}
	if remedy == nil {
		e.nginxKept(keep, connection)
		return
	}
	d.Why = "NGINX " + list(why, "and")
	if keep.written() {
		d.Dropped = []chain.Dropped{{Origin: keep.origin, Why: "it needs " + list(write, "and")}}
		n := chain.Notice{
			Kind: chain.NoticeIgnored, Layer: e.layer, Origin: keep.origin, Winner: d.Winner, Remedy: remedy,
			Message: fmt.Sprintf("keepalive %s has no effect: towards the upstream NGINX %s; write %s", keep.text, list(why, "and"), list(write, "and")),
		}
		if by := e.dropping("proxy_set_header.Connection"); closes && by != nil && !connection.written() {
			n.Message += fmt.Sprintf(" into %s, which switches off that of the block around it", settingPath(by.Path))
			n.Winner.Pos = by.Pos
		} else if key := e.elsewhere(protocol, connection); key != "" {
			n.Message += fmt.Sprintf("; that of location %q holds there alone", key)
		}
		e.reuse = append(e.reuse, n)
		keep.mute()
	}
	e.derived = append(e.derived, d)
}

// dropping is the block that takes the place of an outer one which has a setting; nil if
// none does.
func (e *effective) dropping(name string) *Block {
	for _, d := range e.dropped {
		if d.name == name {
			return d.by
		}
	}
	return nil
}

// elsewhere is a location of other paths that writes one of some settings, which nobody
// else does; "" if there is none.
func (e *effective) elsewhere(settings ...*setting) string {
	locations := e.typ.Root.child("location")
	for _, s := range settings {
		for _, key := range e.keysOf("location") {
			if s != nil && !s.written() && e.blocks.element(locations, key).value(strings.Split(s.name, ".")...) != nil {
				return key
			}
		}
	}
	return ""
}

// nginxKept says for how long an idle connection is kept, and what that rests on.
func (e *effective) nginxKept(keep, connection *setting) {
	if strings.Contains(connection.text, "$") {
		e.open = append(e.open, fmt.Sprintf("proxy_set_header Connection %s is known at run time only: connections to the upstream are taken to be kept", connection.text))
		e.keptIf = fmt.Sprintf("Connection %s does not come to close", connection.text)
	}
	idle := e.named("keepalive_timeout", keep)
	e.derived = append(e.derived, chain.Derivation{
		Timer: "keep an idle connection", Settled: chain.Settled{Value: idle.d, Winner: idle.origin, Unknown: idle.state == unknown},
	})
}

// lists reports whether a setting is a list with commas that has a word, in any case.
func (s *setting) lists(word string) bool {
	return s != nil && s.state == known && slices.ContainsFunc(strings.Split(s.text, ","), func(w string) bool {
		return strings.EqualFold(strings.TrimSpace(w), word)
	})
}
