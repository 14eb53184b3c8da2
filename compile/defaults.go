package compile

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

// A Defaults is what is in force of a product of which nothing is written: its
// newest release, in a stack that says nothing else.
type Defaults struct {
	Type *Type
	Node *chain.Node // the layer that it is or that it is a part of; a server's and a store's side
	Call *chain.Call // what it calls; nil for a server and a store
}

// teamsOwn are types of which a team says everything itself.
var teamsOwn = []string{"app", "custom", "external", "loop", "unknown"}

// The layers of the stack around a product.
const (
	aroundCaller = "caller"
	aroundIt     = "it"
	aroundCallee = "callee"
)

// defaultsOf resolves the smallest stack that the product can stand in.
func defaultsOf(cat *catalogue, t *Type) (Defaults, error) {
	types := map[string]*Type{}
	for _, need := range [][2]string{{"layer", "browser"}, {"layer", "app"}, {"layer", "external"}, {"server", "custom"}, {"client", "custom"}} {
		got, err := cat.typ(need[0], need[1])
		if err != nil {
			return Defaults{}, err
		}
		types[need[0]+" "+need[1]] = got
	}
	layer := func(name string, t *Type) *Layer {
		return &Layer{Name: name, Type: t, Block: nothingWritten(t, name)}
	}
	part := func(t *Type) *Part {
		return &Part{Name: aroundCallee, To: []string{aroundCallee}, Type: t, Block: nothingWritten(t, aroundIt)}
	}
	app := func(name string, server, client *Type, wrap ...*Part) *Layer {
		l := layer(name, types["layer app"])
		l.App = &App{Server: part(server), Clients: []*Part{part(client)}, Block: l.Block}
		l.App.Clients[0].Wrap = wrap
		return l
	}
	server, client := types["server custom"], types["client custom"]
	layers := []*Layer{layer(aroundCaller, types["layer browser"]), nil, layer(aroundCallee, types["layer external"])}
	switch t.Category {
	case "server":
		layers[1] = app(aroundIt, t, client)
	case "client":
		layers[1] = app(aroundIt, server, t)
	case "wrap":
		layers[1] = app(aroundIt, server, client, part(t))
	default:
		layers[1] = layer(aroundIt, t)
	}
	switch t.Role {
	case chain.RoleCaller:
		layers = layers[1:]
	case chain.RoleLeaf:
		layers[2] = app(aroundCaller, server, client)
		layers[2].App.Clients[0].To = []string{aroundIt}
		layers = []*Layer{layers[2], layers[1]}
	}
	decl := &RouteDecl{Pattern: "GET /"}
	for _, l := range layers {
		decl.Path = append(decl.Path, l.Name)
	}
	s, errs := resolve(&Decoded{Name: t.Key, Layers: layers, Routes: []*RouteDecl{decl}, cat: cat}, nil)
	if len(errs) > 0 {
		return Defaults{}, fmt.Errorf("%s %s: %s", t.Category, t.Key, errs[0].Message)
	}
	d := Defaults{Type: t}
	for _, n := range s.Routes[0].Nodes() {
		if n.Layer != aroundIt {
			continue
		}
		d.Node = n
		if calls := n.Calls(); len(calls) > 0 && t.Category != "server" {
			d.Call = calls[0]
		}
	}
	return d, nil
}

func nothingWritten(t *Type, layer string) *Block {
	return &Block{Field: t.Root, Path: []string{"layers", layer, t.Key}}
}
