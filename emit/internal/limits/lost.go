package limits

import (
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// lost warns of what the stack writes of the client and nothing in the target is set
// from: a time or a number that is in no field, that no limit or policy of the call
// comes from, and a word that the target's client has otherwise.
func (cl *Client) lost(u Use, fields []Field, c *emit.Collector) {
	told := u.told()
	for _, f := range fields {
		told = append(told, f.Origin.Setting)
	}
	for _, s := range u.Node.Settings {
		o := s.Origin
		always, fixed := u.d.Always[o.ID]
		if !o.Said() && !fixed || slices.ContainsFunc(fields, func(f Field) bool { return f.Origin.Setting == o.Setting }) || o.Name == "version" || !strings.HasPrefix(s.Block+".", "clients."+cl.Name+".") || !fixed && slices.Contains(told, o.Setting) {
			continue
		}
		warned := slices.ContainsFunc(c.Warnings, func(w emit.Warning) bool { return w.Setting == o.Setting })
		switch {
		case fixed && !o.Said() && !u.Call.TLS && strings.Contains(o.ID, "HTTP2"): // which is not spoken without
		case fixed && !sameValue(s.Value, always) && !o.Said():
			c.Warn(o.Setting, s.Value+" by default is not kept: in the "+u.d.Name+" client it is always "+always)
		case fixed && !sameValue(s.Value, always):
			c.Warn(o.Setting, s.Value+" is not written: in the "+u.d.Name+" client it is always "+always)
		case !fixed && !warned && counts(s.Value) && !u.besidePolicy(o.Setting):
			c.Warn(o.Setting, s.Value+" is not written: the "+u.d.Name+" client has nothing for it")
		}
	}
}

// told are the settings that the call's limits and pool come from, of which Rest tells
// what the target does not have.
func (u Use) told() []string {
	var out []string
	for _, l := range slices.Concat(u.Call.Limits(), u.Call.Upkeep, u.Call.Idle) {
		out = append(out, l.Origin.Setting)
	}
	if p := u.Call.Pool; p != nil {
		out = append(out, p.PerHost.Origin.Setting, p.Total.Origin.Setting, p.Idle.Origin.Setting)
	}
	if u.Call.Eject != nil {
		out = append(out, u.Call.Eject.Origin.Setting)
	}
	return out
}

// besidePolicy reports whether a setting stands in one block with those that a retry
// policy of the call comes from: it says more of the same policy.
func (u Use) besidePolicy(setting string) bool {
	block := func(setting string) string { return setting[:strings.LastIndexByte(setting, '.')+1] }
	for _, layer := range u.Call.Layers {
		r := layer.Retry
		if r == nil {
			continue
		}
		for _, o := range []chain.Origin{r.Origin, r.Attempts.Origin, r.Interval.Origin, r.Window.Origin, r.Least.Origin, r.ConnectShare.Origin} {
			if o.Setting != "" && block(o.Setting) == block(setting) {
				return true
			}
		}
	}
	return false
}

// sameValue reports whether a value is one of those, in whatever unit.
func sameValue(value, those string) bool {
	for one := range strings.SplitSeq(those, " or ") {
		x, errX := time.ParseDuration(value)
		y, errY := time.ParseDuration(one)
		if value == one || errX == nil && errY == nil && x == y {
			return true
		}
	}
	return false
}

// counts reports whether a value is a time or a number, in whatever notation.
func counts(value string) bool {
	value = strings.TrimLeft(value, "-+PT")
	return value != "" && value[0] >= '0' && value[0] <= '9'
}
