package compile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// properties puts what Spring Boot's properties set where that release puts it.
// A value that is written by hand at the same place wins.
func (r *hc5Reader) properties(c *hc5Config) {
	block := r.blocks.child("properties")
	for _, p := range r.pairs(r.out, clientPairs) {
		connect, read := r.property(block, p.connect, timerConnect), r.property(block, p.read, timerRead)
		if r.boot != "" && !p.bound(r.boot) {
			r.unbound(connect, timerConnect)
			r.unbound(read, timerRead)
			continue
		}
		r.whole(connect, timerConnect)
		r.whole(read, timerRead)
		if r.boot != "" && slices.ContainsFunc(atFactory, func(s bootSpan) bool { return s.has(r.boot) }) {
			r.put(&c.factoryConnect, connect, timerConnect)
			r.put(&c.so, read, timerRead)
			continue
		}
		r.put(&c.cct, connect, timerConnect)
		r.put(&c.st, read, timerRead)
	}
}

// unbound drops a property that the release does not know.
func (r *hc5Reader) unbound(v *hc5Value, timer string) {
	if v != nil {
		r.refuse(chain.NoticeIgnored, timer, v, "is not bound by Spring Boot "+r.boot)
	}
}

func (r *hc5Reader) put(at **hc5Value, v *hc5Value, timer string) {
	switch {
	case v == nil:
		return
	case *at == nil:
		*at = v
		return
	case (*at).d != v.d && !ofGroup(*at):
		r.out.Notices = append(r.out.Notices, shadowed(v.origin, (*at).origin, ""))
	}
	why := entrance((*at).origin) + ", which it would set, is written by hand"
	if ofGroup(*at) {
		why = (*at).origin.Name + " is of the client's own group, which comes first"
	}
	r.lose(timer, v, why)
}

func ofGroup(v *hc5Value) bool { return strings.HasPrefix(v.origin.Name, groupPrefix) }

func (r *hc5Reader) property(block layered, name, timer string) *hc5Value {
	v := block.value(name)
	if v == nil {
		return nil
	}
	out := &hc5Value{origin: r.complete(v)}
	if !v.known() {
		out.unknown, out.origin.Source = true, chain.Injected
		r.out.NotChecked = append(r.out.NotChecked, notGiven(v.name(), v.Inject))
		return out
	}
	d, ok := springTime(v)
	if !ok {
		r.refuse(chain.NoticeRejected, timer, out, "is "+v.Text+", no duration that Spring reads")
		return nil
	}
	out.d = d
	return out
}

// whole leaves of a property's value what counts at the client.
func (r *hc5Reader) whole(v *hc5Value, timer string) {
	if v == nil || v.unknown || !r.becomesMillis(timer) {
		return
	}
	written := v.d
	if v.d = v.d.Truncate(time.Millisecond); v.d == 0 && written > 0 {
		r.notice(chain.NoticeIgnored, v.origin, fmt.Sprintf("%s %s acts as 0: whole milliseconds count", v.origin.Name, v.origin.Text))
	}
}

// becomesMillis reports whether the setting that a property of the timer becomes at the
// client takes whole milliseconds.
func (r *hc5Reader) becomesMillis(timer string) bool {
	for _, t := range slices.Concat(blockingTargets, reactiveTargets) {
		name := t.read
		if timer == timerConnect {
			name = t.connect
		}
		if s := r.find(name); t.client == r.typ.Key && s != nil {
			n := s.field.Notation
			return slices.Contains(s.field.Flags, "millis") || n != nil && len(n.Units) == 0 && n.Bare == "ms"
		}
	}
	return false
}
