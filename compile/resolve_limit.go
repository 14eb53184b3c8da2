package compile

import (
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// policyKinds are limits that shape retries and ejection and run no timer of
// their own.
var policyKinds = []chain.Kind{chain.RetryInterval, chain.RetryWindow, chain.RetryLeast, chain.Eject}

// exchangeKinds are the calling side's timers of one exchange.
var exchangeKinds = []chain.Kind{
	chain.PoolWait, chain.DNS, chain.Connect, chain.Tunnel, chain.TLSHandshake, chain.WriteGap,
	chain.ResponseHeader, chain.ResponseFirstByte, chain.ResponseReadGap, chain.AttemptDeadline, chain.TotalDeadline,
}

// answeringKinds are the answering side's timers of one exchange.
var answeringKinds = []chain.Kind{
	chain.RequestHeaderRead, chain.RequestBodyRead, chain.HandlerDeadline, chain.WorkerKill, chain.WriteTotal, chain.WriteGap,
}

// limits are the limits of all settings in force that run a timer.
func (e *effective) limits() []chain.Limit {
	most := 0
	for _, s := range e.settings {
		most += len(s.field.Limits)
	}
	out := slices.Grow([]chain.Limit(nil), most)
	for _, s := range e.settings {
		for _, spec := range s.field.Limits {
			if slices.Contains(policyKinds, spec.Kind) {
				continue
			}
			if l, ok := e.limit(s, spec); ok {
				out = append(out, l)
			}
		}
	}
	return out
}

// limit is one limit of a setting; ok is false where the product then has no
// such timer, or where nothing is known of it.
func (e *effective) limit(s *setting, spec LimitSpec) (l chain.Limit, ok bool) {
	l = chain.Limit{
		Kind: spec.Kind, Side: spec.Side, Start: spec.Start, End: spec.End, Reset: spec.Reset,
		Per: spec.Per, Fires: spec.Fires, Complete: spec.Complete, If: spec.FiresIf, Most: s.most(), Origin: s.origin,
	}
	if !e.holds(spec.If, s) {
		return l, false
	}
	if s.state == unset && (spec.Kind == chain.IdleKeepalive && !s.field.fallsBack() || spec.Side == chain.Answering && s.field.DocURL == "") {
		return l, false // not declared is not the same as none
	}
	bound, why, ok := s.bound()
	l.Bound, l.Why = bound, why
	l.Zero = why == zeroIsNone
	return l, ok
}

// fallsBack reports whether the field is known to take another one's value, so that
// it has none where that has none.
func (f *Field) fallsBack() bool {
	return slices.ContainsFunc(f.Defaults, func(d DefaultSpec) bool { return d.From != "" })
}

const (
	notSet       = "not set"
	zeroIsNone   = "0 means no limit" // somebody wrote the zero
	unknownBound = chain.WhyInjected
)

// bound is the time after which a setting's timer fires, with the reason if it
// never does; ok is false if its value switches it off.
func (s *setting) bound() (d time.Duration, why string, ok bool) {
	switch s.state {
	case unset:
		return chain.Never, notSet, true
	case unknown:
		return chain.Never, unknownBound, true
	}
	switch s.meaning() {
	case "infinite":
		switch {
		case !s.written() && !s.rests:
			return chain.Never, notSet, true
		case s.isNull():
			return chain.Never, "null means no limit", true
		case s.d < 0:
			return chain.Never, "a negative value means no limit", true
		}
		return chain.Never, zeroIsNone, true
	case "off":
		return 0, "", false
	}
	if s.d == chain.Never {
		return chain.Never, notSet, true
	}
	return max(s.d, 0), "", true
}

// most is the largest time that the product takes for the setting; 0 where none
// is known.
func (s *setting) most() time.Duration {
	if s.field.Max == "" || s.field.Notation == nil {
		return 0
	}
	_, d := parseDefault(s.field, s.field.Max)
	return d
}

// holds reports whether all conditions of a limit hold: "keepalive" is a setting
// that is on, "proxy_http_version!=1.0" and "mode=x" compare its text.
func (e *effective) holds(conds []string, near *setting) bool {
	for _, c := range conds {
		name, want, equal := strings.Cut(c, "=")
		name, not := strings.CutSuffix(name, "!")
		other := e.named(name, near)
		switch {
		case !equal && !other.on():
			return false
		case equal && other != nil && other.state == known && (other.text == want) == not:
			return false
		case equal && !not && (other == nil || other.state == unset):
			return false
		}
	}
	return true
}

// named is a setting by its name: of the same block if there is one, else the
// first in the schema's order. near may be nil.
func (e *effective) named(name string, near *setting) *setting {
	var first *setting
	for _, s := range e.settings {
		if s.name != name && !strings.HasSuffix(s.name, "."+name) {
			continue
		}
		if near != nil && s.group == near.group {
			return s
		}
		if first == nil {
			first = s
		}
	}
	return first
}

// sized is the first setting that is a number of a kind.
func (e *effective) sized(kind chain.Kind) *setting {
	for _, s := range e.settings {
		if s.field.Size != nil && s.field.Size.Kind == kind {
			return s
		}
	}
	return nil
}

// timed is the first setting with a limit of a kind.
func (e *effective) timed(kind chain.Kind) (*setting, LimitSpec) {
	for _, s := range e.settings {
		for _, spec := range s.field.Limits {
			if spec.Kind == kind {
				return s, spec
			}
		}
	}
	return nil, LimitSpec{}
}

// size is a number with its origin: 0 is no bound. Not declared where nothing
// is known, or where the value switches it off.
func (s *setting) size() chain.Size {
	if s == nil || s.state != known || s.meaning() == "off" {
		return chain.Size{}
	}
	return chain.Size{N: max(s.number(), 0), Origin: s.origin, Each: s.each}
}
