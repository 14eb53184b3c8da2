package chain

// A run of more repeats than mostTold is told by its first few and its last one.
const (
	mostTold  = 8
	firstTold = 3
)

// A run is where the repeats of one policy stand in a trace, from the second attempt
// of a call to its last.
type run struct {
	policy
	at []int
}

type policy struct {
	from, to *Node
	retry    *Retry
}

// abridged are the events that are left out of the lines, and the repeats before
// which some are: attempts in the middle of many that are like each other.
func (t *Trace) abridged() (out, resumes map[int]bool) {
	var runs []run
	open := map[policy]int{}
	for i, e := range t.Events {
		if e.Kind != EvRetries {
			continue
		}
		p := policy{e.Node, e.Peer, e.Retry}
		k, begun := open[p]
		if !begun || e.Count <= 2 {
			k = len(runs)
			open[p], runs = k, append(runs, run{policy: p})
		}
		runs[k].at = append(runs[k].at, i)
	}
	out, resumes = map[int]bool{}, map[int]bool{}
	for _, r := range runs {
		if len(r.at) <= mostTold {
			continue
		}
		last := r.at[len(r.at)-1]
		for i := r.at[firstTold]; i < last; i++ {
			if e := t.Events[i]; e.Node == r.from && e.Peer == r.to || r.to.reaches(e.Node) {
				out[i] = true
			}
		}
		resumes[last] = true
	}
	return out, resumes
}

// reaches reports whether a node is another one or calls it, directly or not.
func (n *Node) reaches(other *Node) bool {
	if n == other {
		return true
	}
	for _, c := range n.Calls() {
		if c.To.reaches(other) {
			return true
		}
	}
	return false
}
