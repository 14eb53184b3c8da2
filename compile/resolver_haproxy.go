package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// haproxyTime is the part of a time that HAProxy reads, and the rest, which may
// be nothing: else "300ms" would be 300 minutes and an s.
var haproxyTime = regexp.MustCompile(`^([0-9]+(?:us|ms|s|m|h|d))(.*)$`)

// adjustHAProxy: of a time with several units only the first is read; a bare
// number is milliseconds in a text too; a refused connection is tried again after
// timeout connect, if that is short; timeout client bounds the client's other timers;
// and maxconn is what one server takes.
func adjustHAProxy(e *effective) {
	for _, s := range e.settings {
		text, isText := s.raw.(string)
		if !s.written() || !isText || s.field.Notation == nil {
			continue
		}
		if m := haproxyTime.FindStringSubmatch(text); m != nil && m[2] != "" {
			s.d, _ = s.field.Notation.Parse(m[1])
			s.text = m[1]
			e.remark(chain.NoticeIgnored, s, nil, "timeout %s %q acts as %s: haproxy stops reading at %q", s.origin.Name, text, m[1], m[2])
			s.origin.Note = "acts as " + m[1]
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 && n < s.field.Suspect {
			e.remark(chain.NoticeUnit, s, nil, "%s %d is %s in %s", s.origin.Name, n, chain.Format(s.d), e.typ.Key)
		}
	}
	if e.find("http-reuse").text == "never" {
		e.reusesNone = true
	}
	if wait, connect := e.find("turnaround"), e.find("timeout.connect"); wait != nil && connect.finite() && connect.d < wait.d {
		wait.becomes(connect, "the shorter of 1s and timeout connect")
	}
	e.withinClient()
	if list, servers := e.inUse(); list != nil {
		e.overServers(e.find("default-server.maxconn"), list, servers)
	}
}

// withinClient keeps the client's other timers within timeout client, which runs beside
// them: without it none of them runs, and an idle connection is kept no longer. It starts
// anew with each piece of a header, so http-request still bounds one that drips.
func (e *effective) withinClient() {
	client := e.find("timeout.client")
	if client.state != unknown && !client.finite() {
		for _, name := range []string{"timeout.http-request", "timeout.http-keep-alive"} {
			s := e.find(name)
			if s.written() && s.d != 0 {
				e.remark(chain.NoticeIgnored, s, nil, "%s %s never fires: without timeout client haproxy runs no timer towards the client", s.origin.Name, s.text)
			}
			s.becomes(client, "none without timeout client")
		}
		return
	}
	idle := e.find("timeout.http-keep-alive")
	if idle.finite() && client.finite() && idle.d <= client.d {
		return
	}
	if idle.written() && idle.finite() && client.finite() {
		e.remark(chain.NoticeShadowed, idle, client, "%s %s is never in force; timeout client %s ends an idle connection first", idle.origin.Name, idle.text, client.text)
	}
	idle.cedes(client)
}

// overServers makes what one server takes the size of the whole backend: each has its
// own maxconn or that of default-server, and one that has none takes any number.
func (e *effective) overServers(s, list *setting, servers []string) {
	if s == nil || s.state == unknown {
		return
	}
	sum, each, own, all := 0, []string(nil), false, true
	for _, server := range servers {
		n, has := s.number(), false
		words := strings.Fields(server)
		if at := slices.Index(words, "maxconn"); at >= 0 && at+1 < len(words) {
			if one, err := strconv.Atoi(words[at+1]); err == nil {
				n, own, has = one, true, true
			}
		}
		all = all && has
		if n <= 0 {
			if s.written() {
				s.raw = int64(0)
			}
			return
		}
		sum, each = sum+n, append(each, strconv.Itoa(n))
	}
	switch {
	case own:
		if s.written() && all {
			e.remark(chain.NoticeShadowed, s, list, "maxconn %s of default-server is not in force: each server has its own", s.text)
		}
		if !s.written() || all {
			s.origin, s.state, s.text = list.origin, known, ""
		}
		s.origin.Note = strings.Join(each, " + ") + " of the servers"
	case s.written() && len(servers) > 1:
		s.origin.Note = fmt.Sprintf("%d for each of %d servers", s.number(), len(servers))
		s.multiply(len(servers))
		return
	}
	if own || s.written() {
		s.raw = int64(sum)
	}
}
