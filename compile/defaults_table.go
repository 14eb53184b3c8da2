package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A DefaultsTable is what is in force by default of one sort of products, a row
// each. Its last column says what a zero means where one is written.
type DefaultsTable struct {
	Category string // of all its types
	Title    string // "Layers", "Servers", "Clients", "Wrappers", "Stores"
	Columns  []string
	Rows     []DefaultsRow
}

// A DefaultsRow is one product of a DefaultsTable: a text for each column.
type DefaultsRow struct {
	Type  string // "nginx"
	Cells []string
}

// DefaultsNone is the text of what nothing bounds; DefaultsNotKnown that of what
// a hosted product's documentation does not tell, and of what there is none of.
const (
	DefaultsNone     = "none"
	DefaultsNotKnown = "–"
)

// A defaultsColumn is a question to the defaults of a product. The limit is the
// one that answers it, so that its setting's zero can be told.
type defaultsColumn struct {
	title string
	say   func(Defaults) (string, []chain.Limit)
}

var (
	defaultsConnect = defaultsColumn{"connect", phaseDefault(chain.AtConnect, chain.Connect)}
	defaultsWait    = defaultsColumn{"wait for a connection", waitDefault}
	defaultsCalls   = []defaultsColumn{
		defaultsConnect, defaultsWait,
		{"first byte", phaseDefault(chain.AtFirstByte, chain.ResponseHeader, chain.ResponseFirstByte)},
		{"gap", gapDefault},
		{"whole call", callDefault(chain.TotalDeadline, chain.AttemptDeadline)},
	}
	defaultsIdleCalls   = defaultsColumn{"idle to callees", idleDefault}
	defaultsPool        = defaultsColumn{"pool", poolDefault}
	defaultsRepeats     = defaultsColumn{"repeats", repeatDefault}
	defaultsIdleAnswers = defaultsColumn{"idle to callers", keptDefault(chain.IdleKeepalive)}
	defaultsWork        = defaultsColumn{"work", serveDefault(chain.HandlerDeadline, chain.WorkerKill)}
	defaultsAtOnce      = defaultsColumn{"at once", concurrencyDefault}
	defaultsAnswer      = defaultsColumn{"answer", serveDefault(chain.WriteTotal, chain.WriteGap)}
	defaultsLife        = defaultsColumn{"connection's age", serveDefault(chain.MaxLifetime)}
)

var defaultsTables = []struct {
	category, title string
	store           bool
	columns         []defaultsColumn
}{
	{"layer", "Layers", false, slices.Concat(defaultsCalls, []defaultsColumn{defaultsIdleAnswers, defaultsIdleCalls, defaultsPool, defaultsRepeats})},
	{"server", "Servers", false, []defaultsColumn{
		{"request header", serveDefault(chain.RequestHeaderRead)}, {"request body", serveDefault(chain.RequestBodyRead)},
		defaultsWork, defaultsAnswer, {"idle", keptDefault(chain.IdleKeepalive)}, {"drain", keptDefault(chain.Drain)}, defaultsAtOnce,
	}},
	{"client", "Clients", false, slices.Concat(defaultsCalls, []defaultsColumn{{"idle", idleDefault}, defaultsPool, defaultsRepeats})},
	{"wrap", "Wrappers", false, []defaultsColumn{
		{"wait for a permit", callDefault(chain.PoolWait)}, {"whole call", callDefault(chain.TotalDeadline, chain.AttemptDeadline)}, {"at once", poolDefault}, defaultsRepeats,
	}},
	{"layer", "Stores", true, []defaultsColumn{defaultsWork, {"request", serveDefault(chain.RequestBodyRead)}, defaultsAnswer, {"idle", keptDefault(chain.IdleKeepalive)}, defaultsLife, defaultsAtOnce}},
}

// DefaultsTables are the defaults of the catalogue's products: balancers and
// proxies, servers, clients, what is wrapped around clients, and stores. The error
// is of a catalogue that cannot be read.
func DefaultsTables() ([]DefaultsTable, error) {
	return defaultsOfAll(builtin(), func(category string) ([]*Type, error) {
		var out []*Type
		for _, key := range TypeKeys(category) {
			t, err := builtin().typ(category, key)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(teamsOwn, key) {
				out = append(out, t)
			}
		}
		return out, nil
	})
}

// defaultsOfAll are the tables of the types of each category that cat has. A
// table without rows is left out.
func defaultsOfAll(cat *catalogue, types func(category string) ([]*Type, error)) ([]DefaultsTable, error) {
	var out []DefaultsTable
	for _, def := range defaultsTables {
		all, err := types(def.category)
		if err != nil {
			return nil, err
		}
		t := DefaultsTable{Category: def.category, Title: def.title}
		for _, c := range def.columns {
			t.Columns = append(t.Columns, c.title)
		}
		t.Columns = append(t.Columns, "0 means")
		for _, typ := range all {
			if def.store != (typ.Role == chain.RoleLeaf) {
				continue
			}
			d, err := defaultsOf(cat, typ)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, defaultsRow(d, def.columns))
		}
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}

func defaultsRow(d Defaults, columns []defaultsColumn) DefaultsRow {
	row := DefaultsRow{Type: d.Type.Key}
	zeros := zerosOf(d.Type.Root, map[string]string{})
	var words []string
	titles := map[string][]string{}
	for _, c := range columns {
		text, limits := c.say(d)
		row.Cells = append(row.Cells, text)
		for _, l := range limits {
			word := zeros[l.Origin.ID]
			if word == "" || slices.Contains(titles[word], c.title) {
				continue
			}
			if titles[word] == nil {
				words = append(words, word)
			}
			titles[word] = append(titles[word], c.title)
		}
	}
	for i, word := range words {
		if len(words) > 1 {
			words[i] += ": " + strings.Join(titles[word], ", ")
		}
	}
	row.Cells = append(row.Cells, strings.Join(words, "; "))
	return row
}

// zerosOf is what a zero, and null, mean for each setting below a field, by id.
func zerosOf(f *Field, out map[string]string) map[string]string {
	if f == nil {
		return out
	}
	word := f.Zero
	if f.Null != "" && f.Null != f.Zero {
		word = strings.TrimPrefix(word+", null "+f.Null, ", ")
	}
	if _, ok := out[f.ID]; !ok && f.ID != "" {
		out[f.ID] = word
	}
	for _, c := range f.Fields {
		zerosOf(c, out)
	}
	return zerosOf(f.Elem, out)
}

func (d Defaults) hosted() bool { return d.Type.hosted() }

// smallestOf says the limit that fires first.
func (d Defaults) smallestOf(limits []chain.Limit) (string, []chain.Limit) {
	var first *chain.Limit
	for i, l := range limits {
		if l.Ends() && (first == nil || l.Bound < first.Bound) {
			first = &limits[i]
		}
	}
	switch {
	case first == nil && d.hosted():
		return DefaultsNotKnown, nil
	case first == nil:
		return DefaultsNone, nil
	case first.Bound == chain.Never:
		if i := slices.IndexFunc(limits, func(l chain.Limit) bool { return l.Origin.Source != "" }); i >= 0 {
			first = &limits[i] // its default is none, which it says of itself
		}
		return DefaultsNone, []chain.Limit{*first}
	}
	text := chain.Format(first.Bound)
	switch {
	case first.Kernel:
		text += " (kernel)"
	case first.Kind == chain.AttemptDeadline:
		text += " an attempt"
	case first.Per == chain.PerAddress:
		text += " an address"
	}
	return text, []chain.Limit{*first}
}

func ofKinds(limits []chain.Limit, kinds ...chain.Kind) []chain.Limit {
	var out []chain.Limit
	for _, l := range limits {
		if slices.Contains(kinds, l.Kind) {
			out = append(out, l)
		}
	}
	return out
}

func callDefault(kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		if d.Call == nil {
			return DefaultsNotKnown, nil
		}
		return d.smallestOf(ofKinds(d.Call.Limits(), kinds...))
	}
}

// phaseDefault is what ends the wait for a moment: the limit of the phase itself,
// or a longer one that runs while it lasts. Deadlines of the whole are told apart.
func phaseDefault(m chain.Moment, kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		if d.Call == nil {
			return DefaultsNotKnown, nil
		}
		own := ofKinds(d.Call.Limits(), kinds...)
		for _, l := range d.Call.Limits() {
			if !slices.Contains(kinds, l.Kind) && l.Covers(m) && l.Kind != chain.TotalDeadline && l.Kind != chain.AttemptDeadline {
				own = append(own, l)
			}
		}
		return d.smallestOf(own)
	}
}

// gapDefault is the longest silence within an answer, of a balancer of bare
// connections that of the flow.
func gapDefault(d Defaults) (string, []chain.Limit) {
	if flow := ofKinds(d.Node.Serve, chain.FlowIdle); len(flow) > 0 {
		text, limits := d.smallestOf(flow)
		return text + " (flow)", limits
	}
	return callDefault(chain.ResponseReadGap)(d)
}

// waitDefault is the wait for a connection of a pool, where one may run out.
func waitDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil || d.Call.Pool == nil || d.Call.Pool.InForce().N == 0 {
		return DefaultsNotKnown, nil
	}
	return d.smallestOf(ofKinds(d.Call.Limits(), chain.PoolWait))
}

func idleDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil || len(d.Call.Idle) == 0 {
		return DefaultsNotKnown, nil
	}
	return d.smallestOf(d.Call.Idle[:1])
}

func poolDefault(d Defaults) (string, []chain.Limit) {
	text := poolText(d)
	if p := d.pool(); p != nil && p.InForce().N > 0 && p.InForce().Origin.Note != "" {
		text += " (" + p.InForce().Origin.Note + ")"
	}
	return text, nil
}

func poolText(d Defaults) string {
	switch p := d.pool(); {
	case d.Call == nil || p == nil && d.hosted():
		return DefaultsNotKnown
	case p == nil || p.InForce().N == 0:
		if p != nil && p.Idle.N > 0 {
			return fmt.Sprintf("none; %d idle", p.Idle.N)
		}
		return DefaultsNone
	case p.PerHost.N > 0 && p.Total.N > 0:
		return fmt.Sprintf("%d a host, %d in all", p.PerHost.N, p.Total.N)
	case p.PerHost.N > 0:
		return fmt.Sprintf("%d a host", p.PerHost.N)
	default:
		return fmt.Sprintf("%d in all", p.Total.N)
	}
}

func (d Defaults) pool() *chain.Pool {
	if d.Call == nil {
		return nil
	}
	return d.Call.Pool
}

// repeatDefault is how often a call is sent again by default, and what is sent
// again on a pooled connection that was already closed.
func repeatDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil {
		return DefaultsNotKnown, nil
	}
	var parts []string
	for _, l := range d.Call.Layers {
		switch {
		case l.Retry == nil:
		case !l.Retry.Attempts.Declared() || l.Retry.Attempts.N == 0:
			parts = append(parts, "each address once")
		case l.Retry.Attempts.N > 1:
			parts = append(parts, fmt.Sprint(l.Retry.Attempts.N-1))
		}
	}
	if d.Call.Resend != nil {
		parts = append(parts, fmt.Sprintf("%d if stale", d.Call.Resend.Attempts.N-1))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; "), nil
	case d.hosted():
		return DefaultsNotKnown, nil
	}
	return DefaultsNone, nil
}

func serveDefault(kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) { return d.smallestOf(ofKinds(d.Node.Serve, kinds...)) }
}

// keptDefault is how long something is kept: what has no such limit keeps nothing,
// or it is not known.
func keptDefault(kind chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		limits := ofKinds(d.Node.Serve, kind)
		if len(limits) == 0 {
			return DefaultsNotKnown, nil
		}
		return d.smallestOf(limits)
	}
}

func concurrencyDefault(d Defaults) (string, []chain.Limit) {
	if d.Node.Concurrency.N == 0 {
		return DefaultsNone, nil
	}
	return fmt.Sprint(d.Node.Concurrency.N), nil
}
