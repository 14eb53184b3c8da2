package limits

import (
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// own are the fields of settings that the target's client has without a kind, in the
// order of the dialect.
func (cl *Client) own(u Use, c *emit.Collector) []Field {
	var out []Field
	for _, own := range u.d.Own {
		s, ok := cl.setting(u, own.ID)
		with, beside := cl.setting(u, own.With)
		switch {
		case !ok || !s.Origin.Said() && sameValue(s.Value, own.Unset):
			continue
		case own.With != "" && !s.Origin.Said() && !(beside && with.Origin.Said()):
			continue // Always tells where the value is another one
		}
		f := Field{Name: own.Field, Origin: s.Origin}
		if n, err := strconv.Atoi(s.Value); err == nil && n != 0 {
			f.N, f.Count = n, true
		} else if d, err := time.ParseDuration(s.Value); err == nil {
			f.D = d
		}
		switch none := f.D <= own.OffAt && f.N <= 0; {
		case own.Off != "" && none:
			f.Literal, f.D = own.Off, 0
		case f.D < 0 || f.N < 0:
			c.Warn(s.Origin.Setting, s.Value+" is not written: in the "+u.d.Name+" client no negative value is")
			continue
		default:
			u.d.Check(chain.Limit{Bound: f.D, Origin: s.Origin}, c)
		}
		out = append(out, f)
	}
	return out
}

// setting is a setting of the client by its id.
func (cl *Client) setting(u Use, id string) (chain.Setting, bool) {
	for _, s := range u.Node.Settings {
		if s.Origin.ID == id && strings.HasPrefix(s.Block+".", "clients."+cl.Name+".") {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// idleSize is the bound of the connections that are kept for one callee, where it is
// smaller than that of those in use.
func (u Use) idleSize() (chain.Size, bool) {
	p := u.Call.Pool
	if p == nil || !p.Idle.Declared() || len(u.Call.Idle) == 0 {
		return chain.Size{}, false
	}
	return p.Idle, p.InForce().N == 0 || p.Idle.N < p.InForce().N
}
