package compile

import (
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
