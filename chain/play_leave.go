package chain

import (
	"slices"
	"time"
)

// A fate is what becomes of a visit when a caller above it leaves.
type fate int

const (
	outside    fate = iota // it is not below who was left
	stops                  // it hears of it and ends its own work
	unheard                // it does not: it goes on, and its answer is never delivered
	goesOn                 // it works for one that goes on, or had ended before
	neverBegan             // who would have sent it had stopped
)

// leave is a caller that leaves a visit at a time: a node that cancels stops,
// and what it called stops or goes on by the same rule; a node that does not
// goes on, and its answer is never delivered. It looks at the events from an
// index of the log on, all of which the visit led to.
func (p *player) leave(top, from int, at time.Duration) {
	if top != nobody {
		p.stop(top, from, at, p.visits[top].node.Cancel == CancelPropagates)
	}
}

// stop is leave, where the visit itself stops or not as told.
func (p *player) stop(top, from int, at time.Duration, itself bool) {
	kept := p.log[:from]
	var busy []int
	for _, e := range p.log[from:] {
		if e.At < at {
			kept = append(kept, e)
			continue
		}
		switch p.fate(e.visit, top, at, itself) {
		case neverBegan:
			continue
		case stops:
			if e.At > at && !slices.Contains(busy, e.visit) {
				busy = append(busy, e.visit)
			}
			continue
		case unheard:
			if answering(e.Kind) {
				e.Kind = EvUndelivered
				if slices.ContainsFunc(kept[from:], e.saidAlready) {
					continue // an answer that a write limit closes on is lost once
				}
			}
			e.late = true
		case goesOn:
			e.late = true
		}
		kept = append(kept, e)
	}
	p.log = kept
	for _, v := range busy {
		if v != p.in {
			p.log = append(p.log, told{Event: Event{At: at, Kind: EvLeaves, Node: p.visits[v].node}, visit: v, late: true})
		}
	}
}

// saidAlready reports whether another event says of the same visit at the same time that
// its answer is not delivered.
func (e told) saidAlready(o told) bool {
	return o.Kind == EvUndelivered && o.visit == e.visit && o.At == e.At
}

// unsay takes out what the present visit says from a time on, of some kinds:
// its response was cut before, or never begun.
func (p *player) unsay(from int, at time.Duration, kinds ...EventKind) {
	kept := slices.DeleteFunc(p.log[from:], func(e told) bool {
		return e.visit == p.in && e.At >= at && slices.Contains(kinds, e.Kind)
	})
	p.log = p.log[:from+len(kept)]
}

// fate is what becomes of a visit when top is left at a time.
func (p *player) fate(v, top int, at time.Duration, itself bool) fate {
	switch {
	case v < top:
		return outside
	case v == top && itself:
		return stops
	case v == top:
		return unheard
	}
	this := &p.visits[v]
	switch above := p.fate(this.by, top, at, itself); {
	case above == unheard:
		return goesOn
	case above != stops:
		return above
	case this.begun >= at:
		return neverBegan
	case this.ended < at || this.detached:
		return goesOn
	case this.node.Cancel == CancelPropagates:
		return stops
	}
	return unheard
}
