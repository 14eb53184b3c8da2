package emit

import (
	"slices"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestASettingIsToldByItsWholePath(t *testing.T) {
	for text, want := range map[string]bool{
		"timeout 9s; # edge.x.timeout\n": true,
		"edge.x.timeout: it is ignored":  true,
		"as edge.x.timeout says.":        true,
		"it is edge.x.timeout. More":     true,
		"# edge.x.timeout-fin\n":         false,
		"# edge.x.timeout.client\n":      false,
		"# my-edge.x.timeout\n":          false,
		"# routes.a.at.edge.x.timeout\n": false,
		"":                               false,
	} {
		if got := says(text, "edge.x.timeout"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhatNoRouteHasInForceIsTold(t *testing.T) {
	set := func(path, id, value string) chain.Setting {
		return chain.Setting{Value: value, Origin: chain.Origin{Setting: path, ID: id, Source: chain.Written}}
	}
	s := &chain.Stack{Unmet: []chain.Setting{set("edge.a", "x.a", "1s"), set("edge.b", "x.b", "2s"), set("api.c", "y.c", "3s"), set("edge.d", "x.d", "4s")}}
	var c Collector
	c.Warn("edge.d", "it is beaten")
	c.Unmet(s, func(o chain.Origin) bool { return o.ID[0] == 'x' }, []File{{Content: []byte("# instead of edge.b\n")}})
	if len(c.Warnings) != 2 || c.Warnings[1].String() != "edge.a: 1s is not written: no route is known to have it in force" {
		t.Errorf("%q", c.Warnings)
	}
}

func TestWhatIsWrittenAndNotToldIsLost(t *testing.T) {
	set := func(path, value string, source chain.Source) chain.Setting {
		return chain.Setting{Value: value, Origin: chain.Origin{Setting: path, ID: "x." + path[len(path)-1:], Name: path[len(path)-1:], Source: source}}
	}
	var c Collector
	c.Warn("edge.d", "it is ignored")
	c.Refuse(&Refusal{Target: "x", Setting: "edge.e", Why: "it is too long"})
	c.Lost("tchain emit x", []chain.Setting{
		set("edge.a", "1s", chain.Written), set("edge.b", "2s", chain.Written), set("edge.c", "3s", chain.Default), set("edge.d", "4s", chain.Written),
		set("edge.e", "5s", chain.Written), set("edge.f", "6s", chain.Injected), set("other.a", "1s", chain.Written), set("another.a", "7s", chain.Written),
	}, []File{{Content: []byte("a 1s # edge.a\n")}})
	var got []string
	for _, w := range c.Warnings[1:] {
		got = append(got, w.String())
	}
	want := []string{"edge.b: 2s is not written: tchain emit x has nothing for it", "edge.f: 6s is not written: tchain emit x has nothing for it",
		"another.a: 7s is not written: tchain emit x has nothing for it"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
