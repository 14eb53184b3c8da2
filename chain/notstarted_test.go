package chain

import (
	"strings"
	"testing"
	"time"
)

func TestACallThatADeadlineLeavesNoTimeForIsNamed(t *testing.T) {
	first, next := httpClient(1), httpClient(1)
	first.To, next.To = &Node{Layer: "price", Role: RoleLeaf}, &Node{Layer: "stock", Role: RoleLeaf}
	first.Fallback = true
	app := &Node{Layer: "front", Role: RoleBuffering, Steps: []Step{{Calls: []*Call{first}}, {Calls: []*Call{next}}},
		Deadline: Deadline{Total: value("total", 7*time.Second), Reserve: value("reserve", time.Second), Enforced: true}}
	tr := playAt(t, way("GET", web(Never), hop{app, nil}), Silent, "front")
	var texts []string
	for _, e := range tr.Events {
		texts = append(texts, e.Text())
	}
	if got := strings.Join(texts, "\n"); !strings.Contains(got, "has no time left to call stock (total 7s)") {
		t.Error(got)
	}
}
