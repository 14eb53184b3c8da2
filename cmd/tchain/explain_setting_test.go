package main

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// catalogue is a type with a setting at the top and one in a keyed block.
func catalogue() ([]*compile.Type, error) {
	read := &compile.Field{
		Name: "read_timeout", ID: "px.read_timeout", Block: "server", Doc: "Deadline for the header.",
		Notation: &chain.Notation{Name: "PX time", Example: "90s"}, Min: "1s", Max: "1h",
		Limits: []compile.LimitSpec{
			{Kind: chain.ResponseHeader, Start: chain.AtRequestSent, End: chain.AtHeaderEnd, Fires: "504"},
			{Kind: chain.ResponseReadGap, Start: chain.AtHeaderEnd, End: chain.AtBodyEnd, Reset: chain.ResetRead, Fires: chain.FiresCut},
		},
		Defaults: []compile.DefaultSpec{{Value: "60s"}, {From: "total", Since: "1.2", When: "!keepalive"}},
		Zero:     "infinite", Scope: "route", Proof: "conformance", DocURL: "https://example.com/px",
	}
	peer := &compile.Field{Fields: []*compile.Field{{Name: "mode", ID: "px.peer.mode", Enum: []string{"a", "b"}}}}
	root := &compile.Field{Fields: []*compile.Field{
		{Name: "server", Fields: []*compile.Field{read}}, {Name: "peer", Keyed: "peer", Elem: peer},
	}}
	return []*compile.Type{{Key: "px", Title: "PX", Root: root}}, nil
}

func TestExplainSetting(t *testing.T) {
	old := catalogueTypes
	catalogueTypes = catalogue
	defer func() { catalogueTypes = old }()

	var b strings.Builder
	if err := explain(&b, []string{"px.read_timeout"}); err != nil {
		t.Fatal(err)
	}
	want := `px.read_timeout: a setting of PX, block server

Deadline for the header.

  takes    PX time, such as 90s, from 1s to 1h
  bounds   response-header: from request-sent to header-end; then 504
  bounds   response-read-gap: from header-end to body-end, again from each read; then a response that has begun is cut
  default  60s
  default  that of total since 1.2 without keepalive
  zero     infinite
  scope    route
  known    shown by a run of the product
  doc      https://example.com/px
`
	if b.String() != want {
		t.Errorf("got:\n%s", b.String())
	}
	b.Reset()
	if err := explain(&b, []string{"px.peer.mode"}); err != nil || !strings.Contains(b.String(), "takes    a or b\n") {
		t.Errorf("%v, got:\n%s", err, b.String())
	}
	err := explain(&b, []string{"px.raed_timeout"})
	if err == nil || err.Error() != `unknown setting "px.raed_timeout"; did you mean px.read_timeout?` {
		t.Errorf("error %v", err)
	}
}
