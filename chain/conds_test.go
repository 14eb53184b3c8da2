package chain

import (
	"fmt"
	"slices"
	"testing"
)

func TestConditionsAreNamedShortly(t *testing.T) {
	var server []Cond
	for i := range 100 {
		server = append(server, Cond(fmt.Sprintf("5%02d", i)))
	}
	for _, row := range []struct {
		conds []Cond
		want  string
	}{
		{nil, ""},
		{[]Cond{"503"}, "503"},
		{[]Cond{CondTimeout, CondReset}, "timeout or reset"},
		{[]Cond{CondTimeout, CondReset, "502", "503", "504"}, "timeout, reset, 502 and 2 more"},
		{append([]Cond{CondReset}, server...), "reset or 5xx"},
		{server[:99], "5xx but 599"},
		{append([]Cond{CondReset}, append(slices.Clone(server[:29]), server[30:]...)...), "reset or 5xx but 529"},
		{server[:98], "500, 501, 502 and 95 more"},
	} {
		if got := CondText(row.conds); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}
