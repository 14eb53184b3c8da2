package chain

import "testing"

func TestWhatAVendorDoesNotDocumentIsNoWaitWithoutEnd(t *testing.T) {
	api := &Node{Layer: "api", Role: RoleLeaf}
	call := &Call{To: api, Addresses: 1, Layers: []ClientLayer{{}}, Unbounded: []Unbounded{{Phase: AtConnect}}}
	r := &Route{Method: "GET", Root: &Node{Layer: "edge", Role: RolePassing, Steps: []Step{{Calls: []*Call{call}}}}}
	blackhole := Fault{Kind: Blackhole, Call: call, From: r.Root}
	if got := Play(r, blackhole).Outcome.Text(); got != "never ends" {
		t.Errorf("without a limit: %s", got)
	}
	call.Unbounded[0].Undocumented = true
	if got := Play(r, blackhole).Outcome.Text(); got != "not known: neither the stack nor the vendor says what ends the wait" {
		t.Errorf("undocumented: %s", got)
	}
	if got := Play(r, Fault{Kind: Silent, Call: call, From: r.Root}).Outcome.Text(); got != "never ends" {
		t.Errorf("a phase of which it does say: %s", got)
	}
}
