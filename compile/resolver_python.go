package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// adjustRequests settles the pair of limits in one setting, the pool, and whether there is one.
func adjustRequests(e *effective) {
	timeout := e.find("timeout")
	if words, isList := timeout.raw.([]string); isList {
		pair := []string{"connect", "read"}
		if len(words) != len(pair) {
			e.remark(chain.NoticeRejected, timeout, nil, "timeout: requests takes two values, connect and read, not %d", len(words))
			words = nil
		}
		for i, name := range pair {
			switch s := e.find(name); {
			case s.written():
			case words != nil:
				e.half(s, timeout, words[i])
			}
		}
	}
	if refuses := func(n chain.Notice) bool {
		return n.Kind == chain.NoticeRejected && n.Origin.Name == timeout.field.Name
	}; slices.ContainsFunc(e.notices, refuses) {
		e.open = append(e.open, "timeout is refused: what it would bound is not looked at")
		for _, name := range []string{"connect", "read"} {
			if s := e.find(name); s.origin.Source != chain.Written || s.origin.Setting == timeout.origin.Setting {
				s.mute()
			}
		}
	}
	e.blockingPool(e.find("pool_block"), e.find("pool_maxsize"))
	if !e.find("Session").written() {
		e.keptIf = "its calls are made by one Session"
	}
}

// half gives a limit its value in a pair.
func (e *effective) half(s, pair *setting, text string) {
	s.sets(text, text)
	s.origin.Setting = pair.origin.Setting // where it is written
	s.origin.Text, s.origin.Note = text, s.field.Name+" of timeout"
	if text == "null" {
		s.raw = nil
	}
	if s.meaning() == "invalid" {
		e.remark(chain.NoticeRejected, pair, nil, "timeout: requests does not take %s", text)
	}
}

func adjustUrllib3(e *effective) {
	e.capByTotal()
	block, wait := e.find("block"), e.find("pool_timeout")
	e.blockingPool(block, e.find("maxsize"))
	if !block.on() {
		e.useless(wait, "without block no request waits for a connection")
	}
}

// blockingPool makes the connections that are kept those that may be open: only
// a pool that blocks bounds them.
func (e *effective) blockingPool(block, size *setting) {
	if block.on() {
		f := *size.field
		f.Size = &SizeSpec{Kind: chain.PoolSizePerHost}
		size.field = &f
	}
}

// capByTotal lets urllib3's Timeout.total cap connect and read.
func (e *effective) capByTotal() {
	total := e.find("Timeout.total")
	if !total.finite() {
		return
	}
	for _, name := range []string{"Timeout.connect", "Timeout.read"} {
		s := e.find(name)
		if s.state != known || s.finite() && s.d <= total.d {
			continue
		}
		if s.written() {
			e.remark(chain.NoticeIgnored, s, total, "%s %s acts as %s: total is shorter", s.origin.Name, s.text, total.text)
		}
		s.becomes(total, "total is shorter")
	}
}

// adjustAIOHTTP settles what aiohttp does by its release, and that it rounds
// long limits up to whole seconds.
func adjustAIOHTTP(e *effective) {
	if !atLeast(e.version, "3.10") {
		p, typ := *e.part, *e.typ
		typ.Resend = nil
		p.typ, e.part = &typ, &p
	}
	if s := e.find("timeout.total"); s.state == known && s.d >= 5*time.Second && s.d%time.Second != 0 {
		s.d = s.d.Truncate(time.Second) + time.Second
		s.origin.Note = "rounded up to whole seconds"
	}
}
