package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A javaProperty is a pair of Spring Boot's properties and the releases that bind
// them; until is the first that does not, "" is none.
type javaProperty struct {
	connect, read, since, until string
}

// bound reports whether a release of Spring Boot binds them.
func (p javaProperty) bound(boot string) bool { return bootSpan{p.since, p.until}.has(boot) }

// clientPairs are the properties of Spring Boot's blocking clients.
var clientPairs = []javaProperty{
	{"spring.http.client.connect-timeout", "spring.http.client.read-timeout", "3.4.0", "4.0.0"},
	{"spring.http.clients.connect-timeout", "spring.http.clients.read-timeout", "4.0.0", ""},
}

// groupPrefix begins the properties of one group of clients, which come before
// those of all, field by field.
const groupPrefix = "spring.http.serviceclient."

// untimed are properties of the clients that say nothing of time.
var untimed = []string{"spring.http.client.factory", "spring.http.clients.imperative.factory"}

// pairs are the properties that a client may have, the strongest first: those of
// its own group, where one is written, before the ones of all clients. What else
// is written is noted.
func (in clientInput) pairs(out *clientOutput, all []javaProperty) []javaProperty {
	var groups []string
	for _, v := range in.propertyValues() {
		rest, ok := strings.CutPrefix(v.name(), groupPrefix)
		group, last, _ := strings.Cut(rest, ".")
		switch {
		case slices.Contains(namesOf(all), v.name()) || slices.Contains(untimed, v.name()):
		case ok && (last == "connect-timeout" || last == "read-timeout"):
			if !slices.Contains(groups, group) {
				groups = append(groups, group)
			}
		default:
			in.stray(out, v, namesOf(all))
		}
	}
	if len(groups) > 1 {
		out.NotChecked = append(out.NotChecked, chain.NotChecked{Reason: "properties of several groups, " + strings.Join(groups, " and ") + ": of which one the client is, is not known"})
		return all
	}
	for _, g := range groups {
		all = slices.Concat([]javaProperty{{groupPrefix + g + ".connect-timeout", groupPrefix + g + ".read-timeout", "4.0.0", ""}}, all)
	}
	return all
}

func namesOf(pairs []javaProperty) []string {
	var out []string
	for _, p := range pairs {
		out = append(out, p.connect, p.read)
	}
	return out
}

// stray says of a property that it is none of the client's.
func (in clientInput) stray(out *clientOutput, v *Value, names []string) {
	why := ""
	if best := Closest(v.name(), names); best != "" {
		why = "is no property of Spring Boot's; did you mean " + best + "?"
	}
	if slices.Contains(namesOf(slices.Concat(clientPairs, reactivePairs)), v.name()) {
		why = "does nothing to " + in.typ.Key
	}
	if why == "" {
		out.NotChecked = append(out.NotChecked, chain.NotChecked{Reason: v.name() + " is not known here: what it does to the client is not checked"})
		return
	}
	out.Notices = append(out.Notices, chain.Notice{Kind: chain.NoticeIgnored, Origin: in.complete(v), Message: fmt.Sprintf("%s %s", v.name(), why)})
}

// propertyValues are all properties that are written, the strongest of a name.
func (in clientInput) propertyValues() []*Value {
	var out []*Value
	for _, b := range in.blocks.child("properties") {
		for _, v := range b.Values {
			if !slices.ContainsFunc(out, func(x *Value) bool { return x.name() == v.name() }) {
				out = append(out, v)
			}
		}
	}
	return out
}
