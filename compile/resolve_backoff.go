package compile

import (
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// grow completes a retry policy with what its settings say besides one list of
// conditions: further lists, methods, and how the wait grows.
func (e *effective) grow(r *chain.Retry) {
	main := e.conditions()
	for _, s := range e.settings {
		if s.field.Retry != nil {
			e.widen(r, s, s == main)
		}
	}
	if s, _ := e.timed(chain.RetryInterval); s != nil {
		e.backoff(r, s.field.Backoff)
	}
}

// widen takes what one setting of a retry policy says.
func (e *effective) widen(r *chain.Retry, s *setting, main bool) {
	spec := s.field.Retry
	r.AsksFirst = r.AsksFirst || spec.Always
	on := slices.Clone(spec.On)
	if !main && !spec.Names && s.state == known {
		more, _, _, _ := s.conds()
		on = append(on, more...)
	}
	for _, c := range on {
		if !slices.Contains(r.On, c) {
			r.On = append(r.On, c)
		}
	}
	switch words := s.words(); {
	case spec.Names && s.state == known && words != nil:
		r.OnMethods = nil
		for _, w := range words {
			r.OnMethods = append(r.OnMethods, strings.ToUpper(w))
		}
	case spec.Names && s.isNull():
		r.OnMethods = nil // every method
	}
}

// backoff is how the wait grows: constants of the product, and settings.
func (e *effective) backoff(r *chain.Retry, fixed *BackoffSpec) {
	if fixed != nil {
		r.Multiplier, r.MaxInterval, r.Jitter = fixed.Multiplier, fixed.Max, fixed.Jitter
		r.FirstAtOnce, r.WaitOn = fixed.First, fixed.On
	}
	for _, s := range e.settings {
		if s.field.Backoff == nil || s.state != known {
			continue
		}
		switch s.field.Backoff.Is {
		case "multiplier":
			if x, err := strconv.ParseFloat(s.text, 64); err == nil {
				r.Multiplier = int(x*1000 + 0.5)
			}
		case "max":
			if s.d > 0 {
				r.MaxInterval = s.d
			}
		}
	}
	if r.MaxInterval > 0 && r.Interval.D > r.MaxInterval {
		r.Interval.D = r.MaxInterval
	}
}
