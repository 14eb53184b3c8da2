package emit

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestFrom(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    chain.Origin
		want string
	}{
		{"written", chain.Origin{Source: chain.Written, Setting: "edge.alb.idle_timeout", Note: "not said"}, "edge.alb.idle_timeout"},
		{"a default", chain.Origin{Source: chain.Default, Setting: "x", Product: "alb", Name: "slow_start"}, "default of alb: slow_start"},
		{"a default of nobody", chain.Origin{Source: chain.Default, Name: "slow_start"}, "default: slow_start"},
		{"derived", chain.Origin{Source: chain.Derived, Setting: "x.y", Note: "y not set:\nz"}, "x.y, y not set: z"},
		{"fixed, and nowhere written", chain.Origin{Source: chain.Fixed, Note: "by the platform"}, "by the platform"},
		{"nothing", chain.Origin{}, ""},
	} {
		if got := From(tc.o); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestPlain(t *testing.T) {
	var c Collector
	for _, word := range []string{"api", "web-2", "a.b", "_x", "3ds"} {
		c.Plain("alb", word, "layer name")
	}
	if c.Refusals != nil {
		t.Errorf("refused: %v", c.Refusals)
	}
	for _, word := range []string{"", "../x", "a b", "-a", "a\nb", "a$"} {
		c = Collector{}
		if c.Plain("alb", word, "layer name"); len(c.Refusals) != 1 {
			t.Errorf("%q is taken for plain", word)
		}
	}
}

func TestTheNameOfAStackStaysOnItsLine(t *testing.T) {
	for name, want := range map[string]string{"shop-b": "shop-b", "two words": `"two words"`, "a\nb": `"a\nb"`} {
		if got := StackName(&chain.Stack{Name: name, Dir: "/home/somebody"}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestObjectName(t *testing.T) {
	for name, want := range map[string]string{"api": "api", "app.v1": "app-v1", "My_API.": "my-api"} {
		if got := ObjectName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
