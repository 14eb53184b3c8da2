package compile

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/parser"
)

// A catalogue is the table of all types, read from the schema as they are met.
// It is safe for concurrent use.
type catalogue struct {
	parent *catalogue // of a stack's own view
	own    map[string]ownType

	mu    sync.Mutex
	index *schemaIndex
	err   error
	ctx   *cue.Context
	types map[string]*Type
	forms map[string]valueForm // of the definitions that the types refer to, see formOf

	contexts []contextDefinitions // used last, last
}

// contextDefinitions are the definitions that one context has compiled.
type contextDefinitions struct {
	ctx   *cue.Context
	files map[string]cue.Value
}

// An ownType is a type that a team declared in its stack.
type ownType struct {
	typ *Type
	def cue.Value
}

// newCatalogue is the catalogue of the schema in fsys. Nothing is compiled yet;
// a schema that cannot be read shows at the first use.
func newCatalogue(fsys fs.FS) *catalogue {
	c := &catalogue{types: map[string]*Type{}, forms: map[string]valueForm{}}
	c.index, c.err = newSchemaIndex(fsys)
	return c
}

// keys are the registered keys of a category, sorted.
func (c *catalogue) keys(category string) []string {
	var out []string
	for _, o := range c.own {
		if o.typ.Category == category {
			out = append(out, o.typ.Key)
		}
	}
	if c.parent != nil {
		out = append(out, c.parent.keys(category)...)
	} else if c.err == nil {
		out = append(out, c.index.types[category]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// has reports whether a category has the key, without compiling anything.
func (c *catalogue) has(category, key string) bool {
	if _, ok := c.own[category+" "+key]; ok {
		return true
	}
	if c.parent != nil {
		return c.parent.has(category, key)
	}
	return c.err == nil && c.index.home[category+" "+key] != ""
}

// typ is one type: of the category "layer", "server", "client", "wrap", "platform" or "kernel", or
// one of the pseudo types "facts layer", "facts route", "facts policy", "facts ignore"
// and "facts call", which are what is said beside a type, on a route and in the policy.
func (c *catalogue) typ(category, key string) (*Type, error) {
	if o, ok := c.own[category+" "+key]; ok {
		return o.typ, nil
	}
	if c.parent != nil {
		return c.parent.typ(category, key)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.types[category+" "+key]; t != nil {
		return t, nil
	}
	if c.ctx == nil {
		c.ctx = newContext()
	}
	v, err := c.compile(c.ctx, category, key)
	if err != nil {
		return nil, err
	}
	t, errs := readType(category, key, v, c.forms)
	if len(errs) > 0 {
		return nil, fmt.Errorf("schema: %s %s: %w", category, key, errs[0])
	}
	c.types[category+" "+key] = t
	return t, nil
}

// definition is the constraint of a type, such as #NGINX, compiled in ctx. It
// is cached for the contexts used last.
func (c *catalogue) definition(ctx *cue.Context, category, key string) cue.Value {
	if o, ok := c.own[category+" "+key]; ok {
		return o.def
	}
	if c.parent != nil {
		return c.parent.definition(ctx, category, key)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.compile(ctx, category, key)
	if err != nil {
		return cue.Value{}
	}
	return v
}

// release forgets what was compiled in a context that is not used any more.
func (c *catalogue) release(ctx *cue.Context) {
	c = c.root()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contexts = slices.DeleteFunc(c.contexts, func(d contextDefinitions) bool { return d.ctx == ctx })
}

// pseudoTypes says where the pseudo types are defined.
var pseudoTypes = map[string]struct{ file, path string }{
	"facts layer":  {"stack.cue", "#Facts"},
	"facts route":  {"stack.cue", "#Route"},
	"facts policy": {"stack.cue", "#Policy"},
	"facts ignore": {"stack.cue", "#Ignore"},
	"facts call":   {"stack.cue", "#CallStep"},
	"facts stack":  {"whole.cue", "#Said"},
}

// compile finds a type's constraint in ctx. The caller holds the lock.
func (c *catalogue) compile(ctx *cue.Context, category, key string) (cue.Value, error) {
	if c.err != nil {
		return cue.Value{}, c.err
	}
	if p, ok := pseudoTypes[category+" "+key]; ok {
		inst, err := c.instance(ctx, p.file)
		v := inst.LookupPath(cue.ParsePath(p.path))
		return v, err
	}
	file, ok := c.index.home[category+" "+key]
	if !ok {
		return cue.Value{}, fmt.Errorf("unknown %s type %q", category, key)
	}
	inst, err := c.instance(ctx, file)
	if err != nil {
		return cue.Value{}, err
	}
	fields, err := inst.LookupPath(cue.ParsePath(registers[category])).Fields(cue.Optional(true))
	if err != nil {
		return cue.Value{}, err
	}
	for fields.Next() {
		if fields.Selector().Unquoted() == key {
			return fields.Value(), nil
		}
	}
	return cue.Value{}, fmt.Errorf("schema: %s does not register %s %s", file, category, key)
}

// emptyRegisters lets a file that names a register compile without the files
// that fill it.
const emptyRegisters = "package schema\n#LayerTypes: {}\n#ServerTypes: {}\n#ClientTypes: {}\n#WrapTypes: {}\n#PlatformTypes: {}\n#KernelTypes: {}\n"

// instance is a file of the schema with all it needs, as a value in ctx.
func (c *catalogue) instance(ctx *cue.Context, file string) (cue.Value, error) {
	i := slices.IndexFunc(c.contexts, func(d contextDefinitions) bool { return d.ctx == ctx })
	var used contextDefinitions
	if i < 0 {
		used = contextDefinitions{ctx, map[string]cue.Value{}}
		if most := max(4, 2*runtime.GOMAXPROCS(0)); len(c.contexts) >= most {
			c.contexts = slices.Delete(c.contexts, 0, 1)
		}
	} else {
		used = c.contexts[i]
		c.contexts = slices.Delete(c.contexts, i, i+1)
	}
	c.contexts = append(c.contexts, used)
	if v, ok := used.files[file]; ok {
		return v, nil
	}
	inst := build.NewContext().NewInstance("", nil)
	inst.ImportPath = "tchain.dev/schema"
	add := func(name, text string) error {
		f, err := parser.ParseFile(name, text, parser.ParseComments)
		if err == nil {
			err = inst.AddSyntax(f)
		}
		return err
	}
	if err := add("registers.cue", emptyRegisters); err != nil {
		return cue.Value{}, err
	}
	for _, name := range c.index.closure(file) {
		if err := add(name, c.index.files[name]); err != nil {
			return cue.Value{}, err
		}
	}
	if err := inst.Complete(); err != nil {
		return cue.Value{}, err
	}
	v := ctx.BuildInstance(inst)
	if err := v.Err(); err != nil {
		return cue.Value{}, err
	}
	used.files[file] = v
	return v, nil
}

func newContext() *cue.Context { return cuecontext.New() }
