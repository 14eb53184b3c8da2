package limits

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tchain.dev/tchain/chain"
)

// Need is the number of calls that are open at once in one instance when each
// takes all it may, to lay beside the pool: "; need 45 = 3/s ÷ 6 instances × 90s".
// It is empty where the stack does not tell how many requests come.
func (cl *Client) Need(p chain.Policy) string {
	busy := chain.Busy{Instances: cl.Uses[0].Node.Instances.N}
	var tps, at int64
	var holds []time.Duration
	seen := map[string]bool{}
	for _, u := range cl.Uses {
		key := u.Route.Name + " " + u.Call.To.Layer
		if seen[key] {
			continue
		}
		seen[key] = true
		at += int64(u.Route.Concurrent.N) * int64(max(1, u.Call.AtOnce))
		if rate := u.Route.Rate(u.Call); rate > 0 {
			hold := u.hold(p)
			busy.Add(rate, hold)
			tps += rate
			if !slices.Contains(holds, hold) {
				holds = append(holds, hold)
			}
		}
	}
	over := fmt.Sprintf(" ÷ %d instances", busy.Instances)
	if busy.Instances < 2 {
		over = " ÷ 1 instance"
	}
	switch {
	case slices.Contains(holds, chain.Never):
		return "; no size is enough, nothing ends the read"
	case len(holds) == 1:
		return fmt.Sprintf("; need %d = %s/s%s × %s", busy.Need(), perSecond(tps), over, chain.Format(holds[0]))
	case len(holds) > 1:
		return fmt.Sprintf("; need %d over %d routes%s", busy.Need(), len(seen), over)
	case at > 0:
		n := int64(max(1, busy.Instances))
		return fmt.Sprintf("; need %d = %d at once%s", (at+n-1)/n, at, over)
	}
	return ""
}

// hold is how long one call keeps its place, by the stack's policy: its read
// limit unless the policy reckons with the callee's times.
func (u Use) hold(p chain.Policy) time.Duration {
	switch work := u.Call.To.Work; {
	case p.PoolAgainst == "p99" && work.P99.Declared():
		return work.P99.D
	case p.PoolAgainst == "avg" && work.Avg.Declared():
		return work.Avg.D
	}
	return u.readLimit()
}

// readLimit is how long a callee may be silent before the client ends the
// call, which holds its caller to perCall and total where the stack does not.
func (u Use) readLimit() time.Duration {
	d := chain.Never
	for _, k := range []chain.Kind{chain.ResponseHeader, chain.ResponseFirstByte, chain.AttemptDeadline, chain.TotalDeadline} {
		if l, ok := u.Call.Limit(k); ok && l.Ends() {
			d = min(d, l.Bound)
		}
	}
	if v := u.Node.Deadline.PerCall; v.Declared() {
		d = min(d, v.D)
	}
	return min(d, u.Node.Deadline.Left(0))
}

// perSecond is a rate per 1000 s as one per second.
func perSecond(tps int64) string {
	return strconv.FormatFloat(float64(tps)/1000, 'f', -1, 64)
}
