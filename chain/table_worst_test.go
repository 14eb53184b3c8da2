package chain

import (
	"testing"
	"time"
)

// rareWorst are cases that random routes meet once in thousands.
func rareWorst() map[string]*Route {
	ms := time.Millisecond
	leaf := func(name string) *Node { return &Node{Layer: name, Role: RoleLeaf} }
	one := func(retry *Retry) *Call {
		return &Call{To: leaf("ext"), Addresses: 1, Layers: []ClientLayer{{Limits: []Limit{limit(AttemptDeadline, ms, FiresError)}, Retry: retry}}}
	}
	of := func(method string, role Role, steps ...Step) *Route {
		return &Route{Method: method, Root: &Node{Layer: "app", Role: role, Steps: steps}}
	}

	upload := of("POST", RolePassing, Step{Calls: []*Call{one(&Retry{Attempts: size("attempts", 2), On: []Cond{CondWriteTimeout}, OnMethods: []string{"GET"}})}})
	upload.Upload = &Upload{Bytes: 1, BytesPerSecond: 1000}

	reads := of("GET", RoleBuffering, Step{Calls: []*Call{one(&Retry{Attempts: size("attempts", 2), On: []Cond{CondReset, CondCut}, AtOnce: []Cond{CondCut},
		Interval: value("wait", 3*ms), ReadsBody: true})}})

	first, other, open := one(nil), one(nil), one(nil)
	open.Instead, open.Product = first, "client"
	open.Layers[0].Limits = []Limit{limit(ResponseHeader, ms, FiresError), limit(ResponseReadGap, 0, FiresError)}
	instead := of("GET", RoleBuffering, Step{Calls: []*Call{first}}, Step{Calls: []*Call{open, other}})

	return map[string]*Route{
		"an upload that a deadline cuts while it is written is written in part, and a POST not sent again": upload,
		"a retry that repeats a cut answer at once still waits after a reset":                              reads,
		"a stand-in that nothing bounds is no shorter than the way without it":                             instead,
	}
}

func TestNoRareOutcomeComesAfterTheWorstCase(t *testing.T) {
	for says, r := range rareWorst() {
		t.Run(says, func(t *testing.T) {
			w := Worst(r, r.Root)
			for _, f := range Faults(r) {
				switch f.Kind {
				case Trickle, HeaderDrip, Stall:
					continue
				}
				tr := Play(r, f)
				if tr.Outcome.At > w.Total && len(w.NotChecked) == 0 {
					t.Errorf("%s: the outcome at %s comes after the worst case %s\n%s", faultName(f), Format(tr.Outcome.At), Format(w.Total), brief(tr))
				}
				agrees(t, r, f)
			}
		})
	}
}
