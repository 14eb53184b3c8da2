package compile

import (
	"errors"
	"fmt"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// ownCategories are the fields of a stack's `types`.
var ownCategories = map[string]string{"layers": "layer", "servers": "server", "clients": "client"}

// An ownError is what is wrong with a team's own type.
type ownError struct {
	path []string
	err  error
	at   cue.Value // the field's constraint, where it is about one
}

// in is where to look: at the field that carries the attribute, or at the type's name.
func (e ownError) in(s *source) (field chain.Range, ok bool) {
	return s.posRange(e.at.Pos()) // which has none of the zero value
}

// A fieldError is what is wrong with an attribute of the field with an id, of the type
// itself where that is "".
type fieldError struct {
	id  string
	err error
}

func (e *fieldError) Error() string { return e.err.Error() }

// add is a view of the catalogue with the types that a team declares in its
// stack. They are read like those of the schema and closed like them. The view
// belongs to one stack.
func (c *catalogue) add(types cue.Value) (*catalogue, []ownError) {
	view := &catalogue{parent: c, own: map[string]ownType{}}
	var errs []ownError
	groups, ok := members(types, []string{"types"})
	if !ok {
		return view, []ownError{{[]string{"types"}, plainError("types takes layers, servers and clients"), cue.Value{}}}
	}
	for _, g := range groups {
		category := ownCategories[g.name]
		if category == "" {
			errs = append(errs, ownError{g.path, fmt.Errorf("unknown field %q in types; it takes layers, servers and clients", g.name), cue.Value{}})
			continue
		}
		entries, ok := members(g.v, g.path)
		if !ok {
			errs = append(errs, ownError{g.path, fmt.Errorf("types: %s takes one struct for each type", g.name), cue.Value{}})
		}
		for _, e := range entries {
			if c.has(category, e.name) {
				errs = append(errs, ownError{e.path, fmt.Errorf("%s %s is in the catalogue; choose another name", category, e.name), cue.Value{}})
				continue
			}
			r := &typeReader{typ: &Type{Category: category, Key: e.name, Title: e.name, Own: true}, from: map[string]cue.Value{}, real: c.root().schemaDefinition}
			typ, bad := r.read(e.v)
			if typ.Role == "" && category == "layer" {
				typ.Role = chain.RolePassing
			}
			for _, err := range bad {
				id, text := e.name, strings.TrimPrefix(err.Error(), e.name+": ")
				if x := (*fieldError)(nil); errors.As(err, &x) && x.id != "" {
					if id = x.id; id != e.name {
						text = strings.TrimPrefix(id, e.name+".") + ": " + text
					}
				}
				if x := (*catalogueError)(nil); errors.As(err, &x) {
					id, text = x.id, strings.TrimPrefix(text, e.name+".")
				}
				errs = append(errs, ownError{e.path, fmt.Errorf("type %s: %s", e.name, text), r.from[id]})
			}
			view.own[category+" "+e.name] = ownType{typ, e.v}
		}
	}
	return view, errs
}

func (c *catalogue) root() *catalogue {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// schemaDefinition is a definition of the schema by name, for reading its
// form and its notation.
func (c *catalogue) schemaDefinition(name string) cue.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	file := ""
	if c.err == nil {
		file = c.index.defs[name]
	}
	if file == "" {
		return cue.Value{}
	}
	if c.ctx == nil {
		c.ctx = newContext()
	}
	inst, err := c.instance(c.ctx, file)
	if err != nil {
		return cue.Value{}
	}
	return inst.LookupPath(cue.ParsePath(name))
}
