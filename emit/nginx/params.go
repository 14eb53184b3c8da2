package nginx

import (
	"slices"
	"strings"

	"tchain.dev/tchain/emit"
)

// A params is a file that locations include: the lines of one module that are the
// same in all of them, so that each location shows what is its own.
type params struct {
	family string
	file   string
	rows   []row
}

// params are the layer's files for locations: none for a module with one location,
// or whose locations have less than two lines in common.
func (l *layer) params(c *collector) []params {
	var out []params
	for _, fam := range families {
		var rows []row
		places := map[string]bool{}
		for _, h := range l.hops {
			if h.Callee() == nil || family(h.Route) != fam {
				continue
			}
			own := slices.DeleteFunc(h.rows(nil, serverHeaders{}, c), func(r row) bool { return !r.shareable(fam) })
			if len(places) == 0 {
				rows = own
			}
			rows = slices.DeleteFunc(rows, func(r row) bool { return lookup(own, r.name).text() != r.text() })
			places[h.host()+" "+h.pattern(c).match()] = true
		}
		if len(places) > 1 && len(rows) > 1 {
			out = append(out, params{fam, l.file + "." + fam + "params.conf", rows})
		}
	}
	return out
}

// shareable reports whether the line may stand in a file of its own: it belongs to
// the module, and is neither where to nor one of several lines of a name.
func (r row) shareable(fam string) bool {
	return strings.HasPrefix(r.name, fam) && r.name != fam+"pass" && r.name != fam+"set_header"
}

// text is the line as it is read.
func (r row) text() string { return r.name + " " + r.value + " # " + r.comment }

// includes puts the file in the place of its lines, behind where to.
func includes(rows []row, fam string, all []params) []row {
	at := slices.IndexFunc(all, func(p params) bool { return p.family == fam })
	pass := slices.IndexFunc(rows, func(r row) bool { return r.name == fam+"pass" })
	if at < 0 || pass < 0 {
		return rows
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return lookup(all[at].rows, r.name).name != "" })
	return slices.Insert(rows, pass+1, row{name: "include", value: all[at].file})
}

func (l *layer) paramsFile(ps params) emit.File {
	var p page
	l.header(&p, ps.file)
	p.raw("# include in location {}: what all locations with a %spass have in common", ps.family)
	for _, r := range ps.rows {
		p.set(0, r.name, r.value, r.comment)
	}
	return emit.File{Name: ps.file, Content: p.bytes()}
}
