package limits

import (
	"slices"
	"strconv"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestAWholeClassOfStatusesIsOneName(t *testing.T) {
	all := func(from, to int) (out []chain.Cond) {
		for status := from; status < to; status++ {
			out = append(out, chain.Cond(strconv.Itoa(status)))
		}
		return out
	}
	for _, tc := range []struct {
		name string
		in   []chain.Cond
		want []chain.Cond
	}{
		{"two classes among others", slices.Concat([]chain.Cond{"timeout"}, all(400, 600), []chain.Cond{"reset"}), []chain.Cond{"timeout", "4xx", "5xx", "reset"}},
		{"a class without one is its statuses", all(500, 599), all(500, 599)},
		{"nothing", nil, nil},
	} {
		if got := classed(tc.in); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}
