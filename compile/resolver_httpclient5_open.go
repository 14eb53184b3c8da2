package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// The releases at which something of HttpClient 5 with Spring changes, newest
// first. Those before the floor count only where they are written, so old are they.
var (
	hc5Points    = []string{"5.6.1", "5.6", "5.5.1", "5.4", "5.2", "5.1", "5.0.2", "5.0"}
	springPoints = []string{"7.0.0", "6.2.7", "6.2.0", "6.1.20", "6.1.15", "6.1.0", "6.0.0"}
)

const hc5Floor = "5.2"

// An openVersion is a version that leaves open which release it is, with a
// reader of the settings for each that behaves in a way of its own, newest first.
type openVersion struct {
	kind    chain.NoticeKind
	origin  chain.Origin
	words   string
	product lineage
	points  []string
	readers []hc5Reader
	gone    []string // what is written and not there in some of the releases, in words
}

// undecided notes versions that leave open what a timer comes to, once each, with
// the releases that decide each of the timers.
func (r *hc5Reader) undecided(c *hc5Config) {
	for _, o := range r.opens(c) {
		if said := append(o.differences(), o.gone...); len(said) > 0 {
			r.notice(o.kind, o.origin, o.words+": "+strings.Join(said, "; "))
		}
	}
}

const mostTimers = 3 // told of one open version

// differences are the timers that do not come to the same in all of the
// releases, in words.
func (o openVersion) differences() []string {
	var all [][]amount
	var timers, out []string
	for i, reader := range o.readers {
		all = append(all, reader.amounts())
		for _, timer := range differing(all[max(i-1, 0)], all[i]) {
			if !slices.Contains(timers, timer) {
				timers = append(timers, timer)
			}
		}
	}
	for _, timer := range timers[:min(len(timers), mostTimers)] {
		out = append(out, fmt.Sprintf("%q comes to %s", timer, o.ranges(timer, all)))
	}
	switch more := len(timers) - mostTimers; {
	case more == 1:
		out = append(out, "and another timer differs")
	case more > 1:
		out = append(out, fmt.Sprintf("and %d other timers differ", more))
	}
	return out
}

// ranges are what a timer comes to in each range of releases, newest first.
func (o openVersion) ranges(timer string, all [][]amount) string {
	var out []string
	last := "" // of the range
	for i, point := range o.points {
		value := amountOf(all[i], timer)
		switch oldest := i == len(all)-1; {
		case !oldest && amountOf(all[i+1], timer) == value:
			continue
		case oldest:
			value = "and to " + value + " before"
		case last == "":
			value += " from " + point + " on"
		case last == point:
			value = "to " + value + " in " + point
		default:
			value = "to " + value + " from " + point + " to " + last
		}
		out, last = append(out, value), o.product.before(point)
	}
	return strings.Join(out, ", ")
}

// opens are the versions that leave a release open.
func (r *hc5Reader) opens(c *hc5Config) []openVersion {
	var out []openVersion
	add := func(o openVersion, v *Value, product string, points []string, with func(hc5Reader, string) hc5Reader) {
		o.kind, o.words = chain.NoticeImplicit, "version of "+product+" is open"
		o.origin = r.itself()
		if v.known() {
			o.kind, o.origin, o.words = chain.NoticeBoundary, v.Origin, v.name()+" "+v.text()+" is too coarse"
			if v.name() == "version" {
				o.words = product + " " + v.text() + " is too coarse"
			}
		}
		for _, p := range points {
			o.points, o.readers = append(o.points, p), append(o.readers, with(*r, p))
		}
		out = append(out, o)
	}
	own, boot, spring := r.blocks.value("version"), r.versions.boot, r.springValue()
	if boot.known() {
		add(openVersion{product: bootLineage}, boot, "springBoot", leftOpen(bootPoints(), boot.text()), func(x hc5Reader, p string) hc5Reader {
			x.boot = p
			if !own.known() {
				row, _ := bootRowOf(p)
				x.release = row.httpclient5.of(row, p)
			}
			if !spring.known() {
				x.framework = springOfBoot(p)
			}
			return x
		})
	}
	if c.spring != "" && (spring.known() || !boot.known()) {
		points := leftOpen(springPoints, spring.text())
		points = slices.DeleteFunc(points, func(p string) bool { return !spring.known() && !r.compiles(p) })
		o := openVersion{product: springLineage}
		if !spring.known() && c.factoryConnect != nil {
			o.gone = []string{entrance(c.factoryConnect.origin) + " is gone since 7.0.0"}
		}
		add(o, spring, "Spring", points, func(x hc5Reader, p string) hc5Reader { x.framework = p; return x })
	}
	if vague(own.text()) && (own.known() || !boot.known()) {
		text, _, _ := strings.Cut(own.text(), ".x")
		points := leftOpen(hc5Points, text)
		if len(versionParts(text)) == 2 && !slices.Contains(points, text) {
			points = append(points, text) // the first of its line
		}
		points = slices.DeleteFunc(points, func(p string) bool { return !own.known() && !atLeast(p, hc5Floor) })
		add(openVersion{product: hc5Lineage}, own, "httpclient5", points, func(x hc5Reader, p string) hc5Reader { x.release = p; return x })
	}
	return out
}

// bootPoints are the Spring Boot releases at which what they bring changes,
// newest first.
func bootPoints() []string {
	out := slices.Clone(movedProperties)
	for _, r := range bootRows {
		out = append(out, r.from)
	}
	slices.SortFunc(out, func(a, b string) int { return slices.Compare(versionParts(b), versionParts(a)) })
	return out
}

// leftOpen are the releases that a version leaves open; of "" all.
func leftOpen(points []string, version string) []string {
	return slices.DeleteFunc(slices.Clone(points), func(p string) bool {
		return version != "" && p != version && !strings.HasPrefix(p, version+".")
	})
}

// compiles reports whether a Spring release has the factory's setters in use.
func (r *hc5Reader) compiles(spring string) bool {
	return !(r.written("factory.connectTimeout") != nil && atLeast(spring, "7.0") ||
		r.written("factory.readTimeout") != nil && atLeast(spring, "6.1") && !atLeast(spring, "6.2"))
}

// An amount is what a timer comes to.
type amount struct{ timer, value string }

// amounts are what all timers come to, where requests of all contexts go over
// the connections.
func (r hc5Reader) amounts() []amount {
	scratch := r.Defaults
	r.out, r.lost, r.contexts = &scratch, nil, nil
	c := r.config()
	req := c.request()
	scratch.Retry = r.retry(c, req)
	p := &hc5Pooled{hc5Reader: &r, config: c, request: req}
	p.background = r.background(c)
	sent := []hc5Sender{{req, []string{""}}}
	for _, x := range r.contexts {
		other := *c
		other.carry(x)
		sent = append(sent, hc5Sender{other.request(), []string{""}})
	}
	derived, _ := p.settle(sent)
	var out []amount
	for _, d := range derived {
		value := chain.Format(d.Value)
		for _, e := range d.Else {
			value += " or " + chain.Format(e.Value)
		}
		out = append(out, amount{d.Timer, value})
	}
	return out
}

// amountOf is what a timer comes to.
func amountOf(all []amount, timer string) string {
	if i := slices.IndexFunc(all, func(a amount) bool { return a.timer == timer }); i >= 0 {
		return all[i].value
	}
	return "nothing"
}

// differing are the timers that come to something else in an older release.
func differing(newer, older []amount) []string {
	var out []string
	for _, a := range slices.Concat(newer, older) {
		if amountOf(newer, a.timer) != amountOf(older, a.timer) && !slices.Contains(out, a.timer) {
			out = append(out, a.timer)
		}
	}
	return out
}
