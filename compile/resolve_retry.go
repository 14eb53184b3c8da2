package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// timeouts and failures are what "timeout" and "error" mean in a list of
// conditions that a team writes itself; a status is written as its digits.
var (
	timeouts = []chain.Cond{chain.CondTimeout, chain.CondConnectTimeout, chain.CondTLSTimeout, chain.CondPoolTimeout, chain.CondWriteTimeout, chain.CondDNSTimeout, chain.CondDeadline}
	failures = []chain.Cond{chain.CondRefused, chain.CondReset, chain.CondStale, chain.CondKilled}
)

// ownConds are the conditions that a word of a team's own list means; none if
// it means nothing.
func ownConds(word string) []chain.Cond {
	switch word {
	case "timeout":
		return timeouts
	case "error":
		return slices.Concat(failures, []chain.Cond{chain.CondCut})
	case "any", "exception":
		return slices.Concat(failures, []chain.Cond{chain.CondCut}, timeouts)
	case "4xx", "5xx":
		var out []chain.Cond
		for i := range 100 {
			out = append(out, chain.Cond(fmt.Sprintf("%c%02d", word[0], i)))
		}
		return out
	}
	if words := javaExceptions[simpleName(word)]; words != nil {
		var out []chain.Cond
		for _, w := range words {
			if w == responseTimeout {
				out = append(out, chain.CondTimeout)
				continue
			}
			out = append(out, ownConds(w)...)
		}
		return out
	}
	c := chain.Cond(word)
	if n, err := strconv.Atoi(word); err == nil && n >= 100 && n <= 599 || c == chain.CondCut || slices.Contains(timeouts, c) || slices.Contains(failures, c) {
		return []chain.Cond{c}
	}
	return nil
}

// conds are the conditions of a setting's words, each once, and whether the
// words switch retries off or lift the restriction to methods.
func (s *setting) conds() (out []chain.Cond, off, all bool, unknownWords []string) {
	spec := s.field.Retry
	if spec == nil {
		spec = &RetrySpec{}
	}
	for _, word := range s.words() {
		off = off || spec.Off != "" && word == spec.Off
		all = all || spec.All != "" && word == spec.All
		conds := ownConds(word)
		if i := slices.IndexFunc(spec.Tokens, func(t Token) bool { return t.Word == word }); i >= 0 {
			conds = spec.Tokens[i].Conds
		} else if len(conds) == 0 || spec.Tokens != nil {
			conds, unknownWords = nil, append(unknownWords, word)
		}
		for _, c := range conds {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out, off, all, unknownWords
}

// conditions is the setting that lists what is repeated; nil if there is none.
func (e *effective) conditions() *setting {
	for _, s := range e.settings {
		if s.field.Retry != nil || e.typ.Category == "wrap" && s.field.Name == "on" {
			return s
		}
	}
	return nil
}

// retry is the policy of sending a request again; nil if it is never sent again.
func (e *effective) retry() *chain.Retry {
	count, list := e.sized(chain.RetryCount), e.conditions()
	if count == nil || list == nil {
		return nil
	}
	if count.state != known || list.state == unknown || count.meaning() == "off" {
		return nil
	}
	r := &chain.Retry{
		Attempts: count.size(), CapAddresses: count.field.Size.CapAddresses, ReadsBody: e.typ.Reads,
		Hidden: !count.written() && !list.written(), Origin: list.origin,
		Exhausted: count.field.Size.Exhausted, ExhaustedAnswer: count.field.Size.ExhaustedAnswer,
	}
	switch {
	case count.meaning() == "infinite":
		r.Attempts.N = chain.Endless
	case count.field.Size.Repeats:
		r.Attempts.N = attemptsOf(r.Attempts.N)
	}
	if list.state == unset {
		// A count without conditions: what is repeated is taken to be every failure.
		r.On, r.Origin = slices.Concat(failures, timeouts), count.origin
	} else {
		on, off, all, _ := list.conds()
		if off {
			return nil
		}
		r.On = on
		if list.field.Retry != nil && !all {
			r.OnMethods = list.field.Retry.Methods
		}
	}
	if s, spec := e.timed(chain.RetryInterval); s != nil && s.state == known && e.holds(spec.If, s) {
		r.Interval = s.value()
	}
	if s, spec := e.timed(chain.RetryWindow); s != nil && s.state == known && e.holds(spec.If, s) {
		r.Window, r.WindowWaits = s.value(), spec.Waits
		if bound, _, ok := s.bound(); ok {
			r.Window.D = bound
		}
	}
	if s, _ := e.timed(chain.RetryLeast); s != nil {
		r.Least = s.value()
	}
	r.ConnectShare = e.sized(chain.ConnectShare).size()
	e.grow(r)
	if len(r.On) == 0 {
		return nil
	}
	return r
}

// resend is what the product repeats by itself on a reused connection that was closed;
// nil if it repeats nothing.
func (e *effective) resend() *chain.Retry {
	r := e.typ.Resend
	if r == nil || !e.typ.ResendListed {
		return r
	}
	list := e.conditions()
	if list == nil || list.state != known {
		return nil
	}
	on, off, all, _ := list.conds()
	if off || !slices.Contains(on, chain.CondStale) {
		return nil
	}
	out := *r
	out.Hidden, out.Origin, out.Attempts.Origin = !list.written(), list.origin, list.origin
	if !all {
		out.OnMethods = list.field.Retry.Methods
	}
	return &out
}

// attemptsOf is how many attempts so many repeats make with the first one. The largest
// number there is stands for repeats without end, and so do the attempts then.
func attemptsOf(repeats int) int {
	if repeats == chain.Endless {
		return chain.Endless
	}
	return repeats + 1
}

// ejection is the policy that takes an address out of use; nil if there is
// none, which is also so where there is one address only.
func (e *effective) ejection(addresses int) *chain.Ejection {
	fails, window := e.sized(chain.Eject), e.ejectTime()
	if fails == nil || window == nil || addresses < 2 {
		return nil
	}
	out := &chain.Ejection{Fails: fails.number(), For: window.d, Origin: fails.origin}
	e.ownParameters(out, fails, window)
	if out.Fails <= 0 || fails.state != known || window.state != known {
		return nil
	}
	if list := e.conditions(); list != nil && list.state == known {
		out.On, _, _, _ = list.conds()
		for _, d := range list.field.Defaults { // these always count as failures
			always := &setting{field: list.field, state: known, raw: d.Value}
			conds, _, _, _ := always.conds()
			for _, c := range conds {
				if !slices.Contains(out.On, c) {
					out.On = append(out.On, c)
				}
			}
		}
	}
	for _, a := range e.typ.Answers {
		if a.Cond == chain.Cond(chain.Eject) {
			out.Answer = a.Status
		}
	}
	return out
}

func (e *effective) ejectTime() *setting {
	s, _ := e.timed(chain.Eject)
	return s
}

// ownParameters lets parameters of single addresses, as "10.0.0.1:80
// max_fails=3 fail_timeout=30s", win over the block's. Where the addresses
// differ, the most failures and the shortest time count: only then are all of them out.
func (e *effective) ownParameters(out *chain.Ejection, fails, window *setting) {
	list, addresses := e.inUse()
	var counts, times []string
	for _, address := range addresses {
		n, d := "", ""
		for _, word := range strings.Fields(address) {
			if v, ok := strings.CutPrefix(word, fails.field.Name+"="); ok {
				n = v
			}
			if v, ok := strings.CutPrefix(word, window.field.Name+"="); ok {
				d = v
			}
		}
		counts, times = append(counts, n), append(times, d)
	}
	differ := false
	if n, ok, mixed := mostFails(counts, fails); ok {
		out.Fails, out.Origin = n, list.origin
		out.Origin.Name = fails.field.Name
		differ = mixed
	}
	if d, ok, mixed := shortestOut(times, window); ok {
		out.For, out.Origin = d, list.origin
		out.Origin.Name = fails.field.Name
		differ = differ || mixed
	}
	if differ {
		out.Origin.Note = "the servers differ: the largest " + fails.field.Name + " and the shortest " + window.field.Name + " count"
	}
}
