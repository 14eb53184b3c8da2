package main

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/draft"
)

// parseChain reads [NAME=]TYPE[:SERVER[/CLIENT]], with commas between.
func parseChain(text string) ([]draft.Layer, error) {
	words := strings.Split(text, ",")
	if len(words) < 2 {
		return nil, usagef("--chain %q is one layer; a chain has a caller and a callee at least", text)
	}
	layers := make([]draft.Layer, len(words))
	types := make([]*compile.Type, len(words))
	for i, word := range words {
		l, t, err := parseLink(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if i > 0 && slices.ContainsFunc(layers[:i], func(o draft.Layer) bool { return l.Name != "" && o.Name == l.Name }) {
			return nil, usagef("two layers of the chain are called %s", l.Name)
		}
		layers[i], types[i] = l, t
	}
	for i := range layers {
		if err := complete(&layers[i], types, i); err != nil {
			return nil, err
		}
	}
	nameRest(layers, types)
	return layers, nil
}

var layerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func parseLink(word string) (l draft.Layer, t *compile.Type, err error) {
	name, rest, named := strings.Cut(word, "=")
	if !named {
		name, rest = "", word
	}
	key, parts, _ := strings.Cut(rest, ":")
	l = draft.Layer{Name: name, Type: key}
	l.Server, l.Client, _ = strings.Cut(parts, "/")
	switch t = compile.LayerType(key); {
	case key == "":
		return l, t, usagef("--chain has an empty place; write the types of the layers, as %s", usualChain)
	case named && !layerName.MatchString(name):
		return l, t, usagef("%q is no name of a layer; write one of letters, digits, _ and -, which begins with a letter", name)
	case t == nil && slices.Contains(compile.TypeKeys("server"), key):
		return l, t, usagef("%s is the server of an app; write app:%s", key, key)
	case t == nil && slices.Contains(compile.TypeKeys("client"), key):
		return l, t, usagef("%s is a client of an app; write app:SERVER/%s", key, key)
	case t == nil:
		return l, t, unknown("layer type", key, compile.TypeKeys("layer"))
	case parts != "" && t.Role != chain.RoleBuffering:
		return l, t, usagef("%s is made of no parts; only an app has a server and a client", key)
	}
	return l, t, nil
}

// complete gives an app its parts: those named, else what its callee is spoken
// to with, else the usual ones.
func complete(l *draft.Layer, types []*compile.Type, i int) error {
	switch types[i].Role {
	case chain.RoleUnknown:
		l.Text = "say what it is"
		return nil
	case chain.RoleLeaf:
		l.Note = "say what you know of it, as latency: p99"
		return nil
	case chain.RoleBuffering:
	default:
		return nil
	}
	last := i == len(types)-1
	if last && l.Client != "" {
		return usagef("%s is last in the chain and calls nobody; leave out /%s", l.Type, l.Client)
	}
	suited := *types[i]
	if !last {
		suited.Server = cmp.Or(types[i+1].Server, suited.Server)
		suited.Client = cmp.Or(types[i+1].Client, suited.Client)
	}
	for _, part := range []struct {
		category string
		named    *string
		usual    string
	}{{"server", &l.Server, suited.Server}, {"client", &l.Client, suited.Client}} {
		if *part.named == "" {
			*part.named = part.usual
		} else if keys := compile.TypeKeys(part.category); !slices.Contains(keys, *part.named) {
			return unknown(part.category+" type", *part.named, keys)
		}
	}
	return nil
}

// nameRest names the layers that have no name yet by what they are in a chain.
func nameRest(layers []draft.Layer, types []*compile.Type) {
	taken := map[string]bool{}
	proxies := 0
	for i, l := range layers {
		taken[l.Name] = true
		if types[i].Role == chain.RolePassing {
			proxies++
		}
	}
	for i := range layers {
		if layers[i].Name != "" {
			continue
		}
		name := "proxy"
		switch t := types[i]; {
		case t.Role == chain.RoleCaller:
			name = "web"
		case t.Role == chain.RoleBuffering:
			name = "api"
		case t.Role == chain.RoleUnknown:
			name = "other"
		case t.Role == chain.RoleLeaf && t.Client != "":
			name = "store"
		case t.Role == chain.RoleLeaf:
			name = "service"
		case proxies > 1 && !taken["edge"]:
			name = "edge"
		}
		free := name
		for n := 2; taken[free]; n++ {
			free = name + strconv.Itoa(n)
		}
		layers[i].Name, taken[free] = free, true
	}
}
