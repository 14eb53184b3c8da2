package compile

import (
	"slices"
	"strings"
)

// A PropertyDoc is what one of Spring Boot's properties does to the clients that
// take it.
type PropertyDoc struct {
	Name   string // "spring.http.client.connect-timeout"; GROUP stands for a group's name
	Doc    string
	Bound  string // by which releases of Spring Boot: "from 3.4.0 to before 4.0.0"
	Sets   []PropertyTarget
	Loses  []string // to what, the strongest first
	Source string   // URL
}

// A PropertyTarget is where a client has what a property says.
type PropertyTarget struct {
	Client   string // the type's key
	Setting  string // "manager.connectionConfig.connectTimeout"
	Releases string // of Spring Boot, that put it there: "from 4.0.0 on"
}

// A bootTarget is where releases of Spring Boot put a pair of properties at a client.
type bootTarget struct {
	client, connect, read string
	releases              []bootSpan
}

// A bootSpan are the releases of Spring Boot from one on and before another; ""
// is no end.
type bootSpan struct{ from, before string }

func (s bootSpan) has(boot string) bool {
	return atLeast(boot, s.from) && (s.before == "" || !atLeast(boot, s.before))
}

func (s bootSpan) text() string {
	if s.before == "" {
		return "from " + s.from + " on"
	}
	return "from " + s.from + " to before " + s.before
}

// and are the releases that are of both; ok is false if none are.
func (s bootSpan) and(o bootSpan) (both bootSpan, ok bool) {
	if !atLeast(s.from, o.from) {
		s.from = o.from
	}
	if s.before == "" || o.before != "" && !atLeast(o.before, s.before) {
		s.before = o.before
	}
	return s, s.before == "" || !atLeast(s.from, s.before)
}

// atFactory are the releases that put HttpClient 5's properties at Spring's
// factory and at the socket, and not at the connection.
var atFactory = []bootSpan{{"3.4.0", "3.4.12"}, {"3.5.0", "3.5.8"}}

var (
	blockingTargets = []bootTarget{
		{"httpclient5", "factory.connectTimeout", "manager.socketConfig.soTimeout", atFactory},
		{"httpclient5", "manager.connectionConfig.connectTimeout", "manager.connectionConfig.socketTimeout", []bootSpan{{"3.4.12", "3.5.0"}, {"3.5.8", ""}}},
		{"jdkHttpClient", "builder.connectTimeout", "factory.readTimeout", []bootSpan{{"3.4.0", ""}}},
		{"httpUrlConnection", "factory.connectTimeout", "factory.readTimeout", []bootSpan{{"3.4.0", ""}}},
	}
	reactiveTargets = []bootTarget{{"webclient", "option.CONNECT_TIMEOUT_MILLIS", "responseTimeout", []bootSpan{{"3.5.0", ""}}}}
)

const (
	bootDocs  = "https://docs.spring.io/spring-boot/appendix/application-properties/index.html"
	groupName = "GROUP"
	// What wins over a property.
	overHand  = "what is written by hand at the setting that it becomes"
	overGroup = groupPrefix + groupName + ", for a client of that group"
)

// Properties are Spring Boot's properties of HTTP clients, sorted by name.
func Properties() []PropertyDoc {
	every := slices.Concat(blockingTargets, reactiveTargets)
	out := propertyDocs(javaProperty{groupPrefix + groupName + ".connect-timeout", groupPrefix + groupName + ".read-timeout", "4.0.0", ""}, every, overHand)
	for _, p := range clientPairs {
		targets, loses := blockingTargets, []string{overHand}
		if slices.Contains(reactivePairs, p) {
			targets, loses = every, []string{overHand, overGroup}
		}
		out = append(out, propertyDocs(p, targets, loses...)...)
	}
	for _, p := range reactivePairs {
		if !slices.Contains(clientPairs, p) {
			out = append(out, propertyDocs(p, reactiveTargets, overHand)...)
		}
	}
	slices.SortFunc(out, func(a, b PropertyDoc) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func propertyDocs(p javaProperty, targets []bootTarget, loses ...string) []PropertyDoc {
	bound := bootSpan{p.since, p.until}
	connect := PropertyDoc{Name: p.connect, Doc: "The time to connect.", Bound: bound.text(), Loses: loses, Source: bootDocs}
	read := connect
	read.Name, read.Doc = p.read, "The time to read. What that bounds is the client's: explain the setting that it becomes."
	for _, t := range targets {
		var spans []string
		for _, s := range t.releases {
			if both, ok := s.and(bound); ok {
				spans = append(spans, both.text())
			}
		}
		if len(spans) > 0 {
			text := strings.Join(spans, ", ")
			connect.Sets = append(connect.Sets, PropertyTarget{t.client, t.connect, text})
			read.Sets = append(read.Sets, PropertyTarget{t.client, t.read, text})
		}
	}
	return []PropertyDoc{connect, read}
}

// Property is the property of a name, whatever its group is called; ok is false
// if it is not known.
func Property(name string) (p PropertyDoc, ok bool) {
	if rest, grouped := strings.CutPrefix(name, groupPrefix); grouped {
		if group, last, found := strings.Cut(rest, "."); found && group != "" {
			name = groupPrefix + groupName + "." + last
		}
	}
	for _, p := range Properties() {
		if p.Name == name {
			return p, true
		}
	}
	return PropertyDoc{}, false
}

// A BootDoc is what Spring Boot's releases from one to another bring.
type BootDoc struct{ From, Last, Spring, HTTPClient5, Tomcat string }

// BootReleases are what Spring Boot brings, oldest first.
func BootReleases() []BootDoc {
	var out []BootDoc
	for _, r := range bootRows {
		out = append(out, BootDoc{r.from, r.last, r.spring.span(), r.httpclient5.span(), r.tomcat})
	}
	return out
}

func (s releaseSpan) span() string {
	if s.first == s.last {
		return s.first
	}
	return s.first + " to " + s.last
}
