package report

import (
	"strconv"

	"tchain.dev/tchain/chain"
)

// matrix is fault × place: a table where it fits the width, else a list.
func (r *Route) matrix(width int) []string {
	t := r.grid()
	if t.width()+2 > width {
		t = r.list()
	}
	return t.lines("  ")
}

// grid has a row for each kind of fault and a column for each call.
func (r *Route) grid() *table {
	t := &table{}
	head := []string{""}
	for _, h := range r.Hops {
		head = append(head, r.place(h.From, h.To))
	}
	t.add(head...)
	for _, kind := range chain.FaultKinds {
		row, any := []string{string(kind)}, false
		for _, h := range r.Hops {
			cell := "–"
			if f := r.fault(string(kind), h); f != nil {
				cell, any = f.cell(), true
			}
			row = append(row, cell)
		}
		if any {
			t.add(row...)
		}
	}
	return t
}

// place names a call by its callee, and by both ends where that is not enough.
func (r *Route) place(from, to string) string {
	n := 0
	for _, h := range r.Hops {
		if h.To == to {
			n++
		}
	}
	if n > 1 {
		return from + " → " + to
	}
	return to
}

func (r *Route) fault(kind string, h Hop) *Fault {
	for i := range r.Faults {
		if f := &r.Faults[i]; f.Fault == kind && f.From == h.From && f.To == h.To {
			return f
		}
	}
	return nil
}

// cell is the outcome in as few words as can be told apart: status, who, when.
func (f *Fault) cell() string {
	text := f.known()
	if f.Outcome.Unless != "" && chainTime(f.Outcome.At) != chain.Never {
		text += " unless " + f.Outcome.Unless
	}
	return text
}

// known is the outcome under the limits that are known.
func (f *Fault) known() string {
	o, at := f.Outcome, f.Outcome.At.String()
	switch {
	case chainTime(o.At) == chain.Never && o.Error == chain.NotKnown:
		return "not known"
	case chainTime(o.At) == chain.Never:
		return "never ends"
	case o.Cut && o.Status != nil:
		return strconv.Itoa(*o.Status) + " cut by " + or(f.gaveUp(), o.From) + " " + at
	case o.Status != nil:
		return strconv.Itoa(*o.Status) + " " + o.From + " " + at
	case o.Error == "its own error":
		return o.From + " error " + at
	}
	return or(o.Error, "no answer") + " " + at
}

// list has a row for each fault at each call, for widths that no grid fits.
func (r *Route) list() *table {
	t := &table{}
	t.add("fault", "at", "gives up", "sees")
	for _, f := range r.Faults {
		gives := or(f.gaveUp(), "–")
		if f.Outcome.Unless != "" {
			gives = chain.NotKnown
		}
		t.add(f.Fault, r.place(f.From, f.To), gives, f.sees)
	}
	return t
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
