package chain

import (
	"strings"
	"testing"
	"time"
)

func TestOfManyRepeatsTheFirstAndTheLastAreTold(t *testing.T) {
	for _, row := range []struct {
		says  string
		kind  FaultKind
		wait  time.Duration
		most  int
		lines int
		want  string
	}{
		{"each on a line of its own", Silent, time.Second, 40, 14, "8s app: gives up on ext (response-first-byte 2s)\n9s app: sends it again (4 of 40)\n9s app → ext: connected, request sent\n11s app: gives up on ext (response-first-byte 2s)\n117s app: and so on, until it sends it again (40 of 40)\n117s app → ext: connected, request sent\n119s app: gives up on ext"},
		{"all at the same time", Refused, 0, 30000, 1, "sends it again (4 of 30000), is refused by ext, and so on, until it sends it again (30000 of 30000), has used up its attempts (30000 of 30000), answers"},
		{"no more than a few", Refused, 0, 9, 1, "sends it again (5 of 9)"},
	} {
		r := repeating(func(retry *Retry, _ *Node) {
			retry.Attempts.N, retry.Interval, retry.On = row.most, value("wait", row.wait), []Cond{CondTimeout, CondRefused}
		})
		tr := Play(r, Fault{Kind: row.kind, Call: r.Root.Calls()[0], From: r.Root})
		got := linesOf(&tr)
		if n := strings.Count(got, "\n"); n != row.lines || !strings.Contains(got, row.want) || len(got) > 1000 {
			t.Errorf("%s: %d lines, want %d with %q:\n%.1500s", row.says, n, row.lines, row.want, got)
		}
	}
}
