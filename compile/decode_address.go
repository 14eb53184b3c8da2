package compile

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// What may stand beside an address besides the settings of its block: words
// alone, and words with a value, which is a whole number where it is said so.
var (
	addressWords = []string{"backup", "down", "drain", "resolve"}
	addressNames = map[string]bool{"weight": true, "max_conns": true, "route": false, "service": false, "slow_start": false}
)

// addresses checks a list of addresses: of each element the address, and its
// parameters by the settings of the block that they replace for one address. A
// list of texts only has parameters in the product's own syntax.
func (d *decoder) addresses(block *Field, v *Value, list cue.Value) bool {
	before, name := len(d.errs), v.called()
	own := v.Field.check != nil && v.Field.check.strings
	elems, _ := elements(list, v.Path)
	for _, e := range elems {
		fields, isStruct := members(e.v, e.path)
		if isStruct {
			for _, m := range fields {
				d.addressField(block, v.Origin.Name, m)
			}
			continue
		}
		text, err := concrete(e.v).String()
		if err != nil {
			d.failValue(e.path, "%s has %s in its list; an address is a text", name, shownValue(e.v))
			continue
		}
		words := strings.Fields(text)
		if len(words) == 0 {
			d.failValue(e.path, "%s has an empty address", name)
			continue
		}
		if why := wrongAddress(words[0]); why != "" {
			d.failValue(e.path, "%s %q %s", name, words[0], why)
			continue
		}
		for _, word := range words[1:] {
			if !own {
				d.addressWord(block, word, e)
			}
		}
	}
	return len(d.errs) == before
}

// addressField checks a field of an element that is written as a struct.
func (d *decoder) addressField(block *Field, list string, m member) {
	text, ok := elementText(m.v)
	switch {
	case broken(m.v):
	case m.name == "address" || m.name == "server":
		if why := wrongAddress(text); why != "" {
			d.failValue(m.path, "%s %q %s", m.name, text, why)
		}
	case slices.Contains(addressWords, m.name):
		if concrete(m.v).Kind() != cue.BoolKind {
			d.failValue(m.path, "%s takes true or false, not %s", m.name, shownValue(m.v))
		}
	case !d.addressValue(block, m.name, text, ok, m.path):
		d.failLabel(m.path, "unknown field %q in %s; %s", m.name, list, meant(m.name, append(addressParameters(block), "address"), 0))
	}
}

// addressWord checks one parameter of an element that is written as a text.
func (d *decoder) addressWord(block *Field, word string, e member) {
	name, text, isPair := strings.Cut(word, "=")
	switch {
	case !isPair && slices.Contains(addressWords, name):
	case isPair && d.addressValue(block, name, text, true, e.path):
	case !isPair && slices.Contains(addressParameters(block), name):
		d.failValue(e.path, "%s has no value; write %s=…", name, name)
	default:
		d.failValue(e.path, "unknown parameter %q of an address; %s", word, meant(name, addressParameters(block), 0))
	}
}

// addressValue checks the value of a parameter; known is false if there is no
// such parameter.
func (d *decoder) addressValue(block *Field, name, text string, isText bool, path []string) (known bool) {
	if f := replaceable(block, name); f != nil {
		v := &Value{Field: f, Path: path, Origin: chain.Origin{Name: name}}
		d.take(v, f.given(contextOf(d.src.value), cue.TopKind, text))
		return true
	}
	number, known := addressNames[name]
	switch _, err := strconv.ParseUint(text, 10, 31); {
	case !known:
	case !isText || text == "":
		d.failValue(path, "%s has no value; write %s=…", name, name)
	case number && err != nil:
		d.failValue(path, "%s takes a whole number, not %q", name, text)
	}
	return known
}

// replaceable is a setting of the block that an address may have of its own:
// what takes a single one out of use.
func replaceable(block *Field, name string) *Field {
	f := block.child(name)
	if f == nil {
		return nil
	}
	if f.Size != nil && f.Size.Kind == chain.Eject || slices.ContainsFunc(f.Limits, func(l LimitSpec) bool { return l.Kind == chain.Eject }) {
		return f
	}
	return nil
}

func addressParameters(block *Field) []string {
	out := slices.Clone(addressWords)
	for name := range addressNames {
		out = append(out, name)
	}
	for _, f := range block.Fields {
		if replaceable(block, f.Name) != nil {
			out = append(out, f.Name)
		}
	}
	slices.Sort(out)
	return out
}

var (
	hostName   = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$`)
	fourNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]+){3}$`)
)

// wrongAddress says what is wrong with an address; "" if nothing is.
func wrongAddress(text string) string {
	const forms = `is no address; it is a host, "host:port" or "unix:/path"`
	if strings.HasPrefix(text, "unix:/") || strings.Contains(text, "@") {
		return "" // a path, or a family that only some products know
	}
	if _, rest, ok := strings.Cut(text, "://"); ok {
		return `has a scheme; write "` + rest + `"`
	}
	host, port, hasPort := text, "", false
	if rest, ok := strings.CutPrefix(text, "["); ok {
		inner, after, closed := strings.Cut(rest, "]")
		ip, err := netip.ParseAddr(inner)
		if !closed || err != nil || !ip.Is6() || after != "" && after[0] != ':' {
			return forms
		}
		port, hasPort = strings.CutPrefix(after, ":")
	} else {
		if ip, err := netip.ParseAddr(text); err == nil && ip.Is6() {
			return `is an IPv6 address without brackets; write "[` + text + `]"`
		}
		host, port, hasPort = strings.Cut(text, ":")
		_, err := netip.ParseAddr(host)
		if !hostName.MatchString(host) || fourNumber.MatchString(host) && err != nil {
			return forms
		}
	}
	if n, err := strconv.Atoi(port); hasPort && (err != nil || n < 1 || n > 65535 || port[0] == '+') {
		return "has the port " + strconv.Quote(port) + "; it is a number from 1 to 65535"
	}
	return ""
}
