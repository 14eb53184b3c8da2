package chain

import (
	"testing"
	"time"
)

func TestRoom(t *testing.T) {
	said := func(d time.Duration) Value { return Value{D: d, Origin: Origin{Source: Written}} }
	reserve := Deadline{Reserve: said(5 * time.Second)}
	for _, tt := range []struct {
		name   string
		policy Policy
		inner  Node
		outer  time.Duration
		want   time.Duration
	}{
		{"a short limit leaves 5 % of itself", Policy{}, Node{Role: RolePassing}, 10 * time.Second, 500 * time.Millisecond},
		{"a long one leaves a second", Policy{}, Node{Role: RolePassing}, 90 * time.Second, time.Second},
		{"the policy's room goes before", Policy{ErrorRoom: 3 * time.Second}, Node{Role: RolePassing}, 90 * time.Second, 3 * time.Second},
		{"the layer's own goes before that, also one of nothing", Policy{ErrorRoom: 3 * time.Second}, Node{Role: RolePassing, ErrorRoom: said(0)}, 90 * time.Second, 0},
		{"an app's reserve is in its worst end", Policy{ErrorRoom: 3 * time.Second}, Node{Role: RoleBuffering, Deadline: reserve}, 90 * time.Second, 0},
		{"an app without one is as anything else", Policy{}, Node{Role: RoleBuffering}, 90 * time.Second, time.Second},
		{"what passes bytes on keeps no reserve", Policy{}, Node{Role: RolePassing, Deadline: reserve}, 90 * time.Second, time.Second},
	} {
		if got := tt.policy.Room(&tt.inner, tt.outer); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
