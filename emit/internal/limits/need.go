package limits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// Need is the number of calls that are open at once in one instance when each
// takes all it may, as the rule pool-size counts them, to lay beside the pool:
// "; need 45 = 3/s ÷ 6 instances × 90s". Where the pool is for several callees it is
// that of each. It is empty where the stack does not tell how many requests come.
func (cl *Client) Need(p chain.Policy) string {
	var callees []string
	all := map[string]*chain.Demand{}
	for _, u := range cl.Uses {
		if !u.Route.Loaded() {
			continue
		}
		to := u.Call.To.Layer
		if all[to] == nil {
			all[to] = &chain.Demand{}
			callees = append(callees, to)
		}
		all[to].Add(p, u.Route, u.Node, u.Call)
	}
	instances := max(cl.Uses[0].Node.Instances.N, 1)
	var parts []string
	for _, to := range callees {
		d := all[to]
		if d.Open {
			return "; no size is enough, nothing ends the read"
		}
		if d.Need() == 0 {
			continue
		}
		part := strconv.Itoa(d.Need())
		if len(callees) > 1 {
			part += " to " + to
		}
		parts = append(parts, part+sum(d, instances))
	}
	if parts == nil {
		return ""
	}
	return "; need " + strings.Join(parts, ", ")
}

// sum is how a need comes about.
func sum(d *chain.Demand, instances int) string {
	over := fmt.Sprintf(" ÷ %d instances", instances)
	if instances == 1 {
		over = " ÷ 1 instance"
	}
	loads := slices.DeleteFunc(slices.Clone(d.Loads()), func(l chain.Load) bool { return l.TPS == 0 && l.Open == 0 })
	switch {
	case len(loads) != 1:
		return fmt.Sprintf(" over %d routes%s", len(d.Routes), over)
	case loads[0].Open > 0:
		return fmt.Sprintf(" = %d at once%s", loads[0].Open, over)
	}
	return fmt.Sprintf(" = %s/s%s × %s", perSecond(loads[0].TPS), over, chain.Format(loads[0].Held))
}

// perSecond is a rate per 1000 s as one per second.
func perSecond(tps int64) string {
	return strconv.FormatFloat(float64(tps)/1000, 'f', -1, 64)
}
