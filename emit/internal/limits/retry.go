package limits

import (
	"slices"
	"strconv"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// attempts are how often a request is sent and after what it is sent again: one, or
// the fields of the one policy of the call.
func (u Use) attempts(c *emit.Collector) []Field {
	one := Field{Name: "Attempts", N: 1, Count: true}
	at := -1
	for i, layer := range u.Call.Layers {
		if layer.Retry == nil {
			continue
		}
		o := layer.Retry.Attempts.Origin
		if o.Source == "" {
			o = layer.Retry.Origin
		}
		n := chain.MaxAttempts(layer.Retry, u.Call)
		switch {
		case n > 1 && at >= 0:
			c.Refuse(emit.Refuse(u.d.Target, o, "client %s repeats in two layers, and the %s client in one", u.Call.Client, u.d.Name))
		case n > 1:
			at = i
		}
		if at < 0 || at == i {
			one.N, one.Origin = n, o
		}
	}
	if at < 0 {
		return []Field{one}
	}
	r := u.Call.Layers[at].Retry
	if u.named(r.On) == nil {
		c.Warn(r.Origin.Setting, "no attempt of the "+u.d.Name+" client can fail by what it names: nothing is sent again")
		return []Field{{Name: one.Name, N: 1, Count: true, Origin: one.Origin}}
	}
	return append([]Field{one}, u.policy(r, c)...)
}

// repeatedIn is the layer that repeats; -1 if none does.
func (u Use) repeatedIn() int {
	return slices.IndexFunc(u.Call.Layers, func(l chain.ClientLayer) bool { return chain.MaxAttempts(l.Retry, u.Call) > 1 })
}

// classed are conditions with each class of statuses that is there as a whole in the
// place of its first one: "5xx".
func classed(conds []chain.Cond) []chain.Cond {
	for _, digit := range "12345" {
		class := chain.Cond(string(digit) + "xx")
		of := func(cond chain.Cond) bool { return len(cond) == 3 && rune(cond[0]) == digit && cond != class }
		all := map[chain.Cond]bool{}
		first := -1
		for i, cond := range conds {
			if of(cond) {
				if all[cond] = true; first < 0 {
					first = i
				}
			}
		}
		if len(all) == 100 {
			conds = slices.Insert(slices.Clone(conds), first, class)
			conds = slices.DeleteFunc(conds, of)
		}
	}
	return conds
}

// failures are the names that a repeating client has for what an attempt fails by; a
// status is its number.
var failures = map[chain.Cond]string{
	chain.CondPoolTimeout: "poolWait", chain.CondDNSTimeout: "connect", chain.CondConnectTimeout: "connect", chain.CondUnanswered: "connect",
	chain.CondTLSTimeout: "tls", chain.CondRefused: "refused", chain.CondWriteTimeout: "writeGap", chain.CondTimeout: "header",
	chain.CondReset: "reset", chain.CondKilled: "reset", chain.CondStale: "stale", chain.CondDeadline: "perAttempt",
}

// named are the names of conditions, without those by which no attempt fails here: a
// response is handed on with its header, and not every target bounds writing.
func (u Use) named(conds []chain.Cond) []string {
	var out []string
	for _, cond := range classed(conds) {
		name, ok := failures[cond]
		switch {
		case cond == chain.CondCut || cond == chain.CondWriteTimeout && !u.d.has(chain.WriteGap):
			continue
		case !ok:
			name = string(cond)
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (u Use) policy(r *chain.Retry, c *emit.Collector) []Field {
	if r.FirstAtOnce {
		c.Refuse(emit.Refuse(u.d.Target, r.Interval.Origin, "it is first taken before the third attempt, and in the %s client before the second", u.d.Name))
	}
	if r.ConnectShare.N > 0 {
		c.Refuse(emit.Refuse(u.d.Target, r.ConnectShare.Origin, "the %s client has no share of what is left for connecting", u.d.Name))
	}
	if r.ReadsBody && slices.ContainsFunc(r.On, func(cond chain.Cond) bool { return cond == chain.CondCut || cond == chain.CondTimeout }) {
		c.Warn(r.Origin.Setting, "a response that stops after its header is not repeated: the "+u.d.Name+" client has handed it on by then")
	}
	out := []Field{{Name: "RetryOn", List: u.named(r.On), Origin: r.Origin}}
	if r.OnMethods != nil {
		out = append(out, Field{Name: "RetryMethods", List: r.OnMethods, Note: "; of others only what was not sent"})
		if r.AsksFirst {
			c.Warn(r.Origin.Setting, "the "+u.d.Name+" client sends a request of another method again too, where nothing of it was sent")
		}
	}
	if any := u.named(r.AnyMethod); r.OnMethods != nil && any != nil {
		out = append(out, Field{Name: "RetryAnyMethod", List: any, Note: "; whatever the method"})
	}
	if r.Interval.D > 0 {
		out = append(out, u.waits(r, c)...)
	}
	for _, v := range []struct {
		name string
		chain.Value
	}{{"RetryWindow", r.Window}, {"RetryLeast", r.Least}} {
		if v.Declared() && v.D != chain.Never && (v.D > 0 || v.name == "RetryWindow") {
			u.d.Check(chain.Limit{Bound: v.D, Origin: v.Origin}, c)
			out = append(out, Field{Name: v.name, D: v.D, Origin: v.Origin})
		}
	}
	return out
}

// waits are the fields of the time between two attempts.
func (u Use) waits(r *chain.Retry, c *emit.Collector) []Field {
	u.d.Check(chain.Limit{Bound: r.Interval.D, Origin: r.Interval.Origin}, c)
	out := []Field{{Name: "RetryWait", D: r.Interval.D, Origin: r.Interval.Origin}}
	if r.Multiplier > 1000 {
		out = append(out, Field{Name: "RetryGrows", Literal: strconv.FormatFloat(float64(r.Multiplier)/1000, 'f', -1, 64), Note: "; times longer each time"})
		if r.MaxInterval > 0 {
			u.d.Check(chain.Limit{Bound: r.MaxInterval, Origin: r.Interval.Origin}, c)
			out = append(out, Field{Name: "RetryMost", D: r.MaxInterval})
		}
	}
	if r.Jitter {
		out = append(out, Field{Name: "RetryJitter", Literal: "true", Note: "; any time up to it"})
	}
	var once []chain.Cond
	for _, cond := range r.On {
		if !r.Waits(cond) {
			once = append(once, cond)
		}
	}
	if at := u.named(once); at != nil {
		out = append(out, Field{Name: "RetryAtOnce", List: at, Note: "; without the wait"})
	}
	return out
}
