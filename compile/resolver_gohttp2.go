package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustGoHTTP2 settles what net/http makes of a Transport's settings on HTTP/2, and mutes
// the ping that HTTP/1 does not have.
func adjustGoHTTP2(e *effective) {
	if e.goStaysOnHTTP1() {
		e.http2 = ""
	}
	ping := e.named("SendPingTimeout", nil)
	if e.http2 == "" {
		ping.mute()
		return
	}
	for _, atOnce := range []struct{ name, does string }{
		{"ResponseHeaderTimeout", "each request ends at once"},
		{"IdleConnTimeout", "each connection is closed at once, and none is used again"},
	} {
		s := e.named(atOnce.name, ping)
		if !s.written() || s.state != known || s.sign() >= 0 {
			continue
		}
		f := *s.field
		f.Negative, f.NegativeWhy = "at-once", ""
		s.field, s.origin.Note = &f, "less than 0 is over at once on HTTP/2"
		e.unsay(chain.NoticeIgnored, s)
		e.remark(chain.NoticeIgnored, s, nil, "%s %s is over at once, since %s speaks %s: %s", s.origin.Name, s.text, e.peer, e.http2, atOnce.does)
	}
	if s := e.named("MaxConnsPerHost", ping); s.written() && s.state == known && s.sign() > 0 {
		e.remark(chain.NoticeIgnored, s, nil, "%s %s bounds nothing, since %s speaks %s: a connection that has all the streams it takes is counted no more, and another one is opened", s.origin.Name, s.text, e.peer, e.http2)
	}
}

// goStaysOnHTTP1 reports whether a Transport offers no HTTP/2: a literal one does not once a
// dialer is set in it, unless ForceAttemptHTTP2 says so.
func (e *effective) goStaysOnHTTP1() bool {
	return !e.named("ForceAttemptHTTP2", nil).on() && slices.ContainsFunc(e.settings, func(s *setting) bool {
		return s.written() && (s.block == "Transport.Dialer")
	})
}

// unsay takes back what was noticed of a setting.
func (e *effective) unsay(kind chain.NoticeKind, s *setting) {
	e.notices = slices.DeleteFunc(e.notices, func(n chain.Notice) bool {
		return n.Kind == kind && n.Origin.Setting == s.origin.Setting
	})
}
