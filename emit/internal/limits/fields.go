package limits

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Fields are the values of the client's first use; the others have to agree.
func (cl *Client) Fields(c *emit.Collector) []Field {
	cl.samePool(c)
	first := cl.limits(cl.Uses[0], c)
	for _, u := range cl.Uses[1:] {
		other := cl.limits(u, c)
		for _, f := range other {
			at := slices.IndexFunc(first, func(g Field) bool { return g.Name == f.Name })
			switch {
			case at < 0:
				cl.differ(u, f, "unset", f.value(), c)
			case !first[at].same(f):
				cl.differ(u, f, first[at].value(), f.value(), c)
			}
		}
		for _, f := range first {
			if !slices.ContainsFunc(other, func(g Field) bool { return g.Name == f.Name }) {
				cl.differ(u, f, f.value(), "unset", c)
			}
		}
	}
	return first
}

func (cl *Client) differ(u Use, f Field, was, is string, c *emit.Collector) {
	c.Refuse(emit.Refuse(cl.d.Target, f.Origin, "%s and %s share client %s, which has one %s: %s and %s",
		cl.Uses[0].Route.Name, u.Route.Name, cl.Name, f.Name, was, is))
}

func (f Field) value() string {
	switch {
	case f.Count:
		return strconv.Itoa(f.N)
	case f.List != nil:
		return strings.Join(f.List, " ")
	case f.Literal != "":
		return f.Literal
	}
	return chain.Format(f.D)
}

// Deadline is the sentence about the deadline of the request that an app answers,
// which its caller hands over in carrier, and of which keeper holds Reserve back.
func (cl *Client) Deadline(carrier, keeper string) string {
	var total chain.Value
	low, high, reserve := chain.Never, time.Duration(0), false
	for _, u := range cl.Uses {
		d := u.Node.Deadline
		reserve = reserve || d.Reserve.Declared()
		if d.Total.Declared() {
			total, low, high = d.Total, min(low, d.Total.D), max(high, d.Total.D)
		}
	}
	if !total.Declared() {
		return "The stack gives the request no deadline; one in the caller's " + carrier + " holds all the same."
	}
	text := total.Origin.Setting + " " + chain.Format(high)
	if low != high {
		text = total.Origin.Setting + " " + chain.Format(low) + " to " + chain.Format(high) + " by route"
	}
	text = "The caller's " + carrier + " carries the request's deadline (" + text + "); " + keeper + " keeps "
	if reserve {
		return text + "Reserve of it back."
	}
	return text + "nothing of it back."
}

// Comment is what stands beside the field: where its value comes from, and note.
// previous is the field before it, whose setting it does not repeat.
func (f Field) Comment(previous Field, note string) string {
	text := emit.From(f.Origin)
	if text != "" && f.Name != "PoolSize" && f.Origin.Setting == previous.Origin.Setting && f.Origin.Setting != "" {
		text = "the same"
	}
	return strings.TrimPrefix(text+note, "; ")
}

// Note is the field's note; of the pool's size, the need beside it.
func (cl *Client) Note(f Field, p chain.Policy) string {
	if f.Name == "PoolSize" {
		return cl.Need(p)
	}
	return f.Note
}
