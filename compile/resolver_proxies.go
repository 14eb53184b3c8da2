package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// adjustTraefik settles which entry point the path comes in by, and lets the
// statuses of the retry middleware stand beside what it always repeats.
func adjustTraefik(e *effective) {
	names, chosen := e.keysOf("entryPoints"), e.find("entryPoint")
	name := chosen.text
	switch {
	case name != "" && len(names) > 0 && !slices.Contains(names, name):
		e.remark(chain.NoticeRejected, chosen, nil, "entryPoint %q is none of entryPoints: %s", name, strings.Join(names, ", "))
	case name != "":
	case len(names) == 0:
		name = "websecure"
	default:
		name = names[0]
		if len(names) > 1 {
			e.open = append(e.open, fmt.Sprintf("there are %d entry points: %s is counted; name another one in entryPoint", len(names), name))
		}
	}
	e.settings = append(e.settings, e.keyed("entryPoints", name)...)
	status := e.find("retry.status")
	if status.written() {
		status.raw = statuses(status.words())
	}
	if e.find("retry.retryNonIdempotentMethod").text == "true" {
		status.repeatsAnyMethod()
	}
}

// repeatsAnyMethod lets a list of failures hold for every method.
func (s *setting) repeatsAnyMethod() {
	f, spec := *s.field, *s.field.Retry
	spec.Methods, f.Retry, s.field = nil, &spec, &f
}

// statuses are the statuses of a list in which "500-503" is a range.
func statuses(words []string) []string {
	var out []string
	for _, word := range words {
		from, to, isRange := strings.Cut(word, "-")
		low, err := strconv.Atoi(from)
		high, err2 := strconv.Atoi(to)
		if !isRange || err != nil || err2 != nil {
			out = append(out, word)
			continue
		}
		for code := max(low, 100); code <= min(high, 599); code++ {
			out = append(out, strconv.Itoa(code))
		}
	}
	return out
}

// adjustCaddy: a try duration without a count is as many attempts as fit in it.
func adjustCaddy(e *effective) {
	count, window, pause := e.find("lb_retries"), e.find("lb_try_duration"), e.find("lb_try_interval")
	if count == nil || count.state != known || count.number() > 0 || window.state != known || window.d <= 0 || pause.d <= 0 {
		return
	}
	n := int64(window.d / pause.d)
	count.becomes(window, "lb_retries not set: as many as fit in lb_try_duration")
	count.raw, count.text, count.d = n, fmt.Sprint(n), 0
}

// reqtimeout is a value of RequestReadTimeout: "20-40,MinRate=500".
var reqtimeout = regexp.MustCompile(`^([0-9]+)(?:-([0-9]+))?(?:,MinRate=([0-9]+))?$`)

// adjustApacheHTTPD reads RequestReadTimeout, and lets a backend's limits fall
// back to each other.
func adjustApacheHTTPD(e *effective) {
	e.reqtimeout("RequestReadTimeout.header", chain.RequestHeaderRead)
	e.reqtimeout("RequestReadTimeout.body", chain.RequestBodyRead)
	timeout, connect := e.find("timeout"), e.find("connectiontimeout")
	if timeout == nil {
		return
	}
	if timeout.state == unset {
		timeout.becomes(e.find("ProxyTimeout"), "timeout not set: ProxyTimeout")
	}
	if connect.state == unset {
		connect.becomes(timeout, "connectiontimeout not set: timeout")
	}
	if ttl := e.find("ttl"); ttl.state == unset {
		ttl.state, ttl.d = known, chain.Never
		ttl.origin.Source, ttl.origin.Text = chain.Default, "no ttl"
	}
}

// reqtimeout makes one stage of RequestReadTimeout a limit: the longest time
// that its rate can earn, or without a maximum a silence.
func (e *effective) reqtimeout(name string, kind chain.Kind) {
	s := e.find(name)
	if s == nil || s.state != known {
		return
	}
	m := reqtimeout.FindStringSubmatch(strings.ReplaceAll(s.text, " ", ""))
	if m == nil {
		e.remark(chain.NoticeRejected, s, nil, "RequestReadTimeout %s=%s has not the form %s=20-40,MinRate=500", s.field.Name, s.text, s.field.Name)
		return
	}
	p, _ := chain.PresetOf(kind)
	spec := LimitSpec{Kind: kind, Side: p.Side, Start: p.Start, End: p.End, Fires: "408"}
	seconds := m[1]
	switch {
	case m[2] != "":
		seconds = m[2]
	case m[3] != "":
		spec.Reset = chain.ResetRead
	}
	f := *s.field
	f.Limits, f.Notation, f.Zero = []LimitSpec{spec}, &fixedNotation, "infinite"
	s.field = &f
	s.d, _ = fixedNotation.Parse(seconds + "s")
}
