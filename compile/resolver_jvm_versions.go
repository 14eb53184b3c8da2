package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A lineage is the releases of a product that are known here: the newest of each
// line, oldest first.
type lineage struct {
	name   string
	newest []string
	closed bool // what is older is another product
	short  bool // the first release of a line has two numbers: "5.5"
}

var (
	bootLineage   = lineage{"Spring Boot", []string{"3.0.13", "3.1.12", "3.2.12", "3.3.13", "3.4.13", "3.5.16", "4.0.8", "4.1.2"}, false, false}
	springLineage = lineage{"Spring Framework", []string{"6.0.21", "6.1.21", "6.2.19", "7.0.10"}, false, false}
	hc5Lineage    = lineage{"HttpClient 5", []string{"5.0.4", "5.1.4", "5.2.3", "5.3.1", "5.4.4", "5.5.2", "5.6.5"}, true, true}
)

// strange says what is odd about a version, "" if it is known; never if the
// product has no such release.
func (l lineage) strange(version string) (why string, never bool) {
	v := versionParts(version)
	newest := l.newest[len(l.newest)-1]
	newer := func(than string) string {
		return fmt.Sprintf("is newer than %s, the newest that is known here: it is taken to be like that", than)
	}
	lines := l.of(v[:1])
	switch {
	case len(lines) == 0 && atLeast(version, newest):
		return newer(newest), false
	case len(lines) == 0 && l.closed:
		return "is no release of " + l.name, true
	case len(lines) == 0:
		return fmt.Sprintf("is older than %s, the oldest that is known here: it is taken to be like that", line(l.newest[0])), false
	case len(v) == 1:
		return "", false
	}
	last := lines[len(lines)-1]
	if same := l.of(v[:2]); len(same) > 0 {
		if len(v) > 2 && v[2] > versionParts(same[0])[2] {
			return newer(same[0]), false
		}
		return "", false
	}
	if last == newest {
		return newer(newest), false
	}
	return fmt.Sprintf("is no release of %s: %s was the last line of %d", l.name, line(last), v[0]), true
}

// of are the newest releases of the lines that begin with these numbers.
func (l lineage) of(prefix []int) []string {
	var out []string
	for _, r := range l.newest {
		if parts := versionParts(r); len(parts) >= len(prefix) && slices.Equal(parts[:len(prefix)], prefix) {
			out = append(out, r)
		}
	}
	return out
}

// before is the release before one; "" where none is known.
func (l lineage) before(release string) string {
	v := versionParts(release)
	switch {
	case len(v) == 3 && v[2] == 1 && l.short:
		return line(release)
	case len(v) == 3 && v[2] > 0:
		return fmt.Sprintf("%s.%d", line(release), v[2]-1)
	}
	out := ""
	for _, newest := range l.newest {
		if slices.Compare(versionParts(newest), v) < 0 {
			out = newest
		}
	}
	return out
}

// line is a release's line: "3.5" of "3.5.16".
func line(release string) string { return release[:strings.LastIndexByte(release, '.')] }

// vague reports whether a version names no release: "5", "5.x", "5.5.x"; a
// release with two numbers, "5.5", is one.
func vague(version string) bool {
	n := len(versionParts(version))
	return n < 2 || strings.Count(version, ".")+1 > n
}

// release is the release that a version of HttpClient 5 stands for: itself, or
// the newest that it leaves open; "" is the newest of all.
func (l lineage) release(version string) string {
	if version == "" || !vague(version) {
		return version
	}
	if of := l.of(versionParts(version)); len(of) > 0 {
		return of[len(of)-1]
	}
	return ""
}

// oddVersions says which of the versions that a client rests on are none that
// are known here.
func (in clientInput) oddVersions(out *clientOutput) {
	look := func(l lineage, v *Value) {
		if !v.known() || v == in.beforeHC5() {
			return
		}
		why, never := l.strange(v.text())
		switch {
		case why == "":
		case never:
			out.Notices = append(out.Notices, chain.Notice{Kind: chain.NoticeRejected, Origin: v.Origin, Message: v.name() + " " + v.text() + " " + why})
		default:
			out.NotChecked = append(out.NotChecked, chain.NotChecked{Reason: v.name() + " " + v.text() + " " + why})
		}
	}
	look(bootLineage, in.versions.boot)
	look(springLineage, in.versions.spring)
	look(springLineage, in.blocks.value("spring"))
	if v := in.blocks.value("version"); in.typ.Key == "jdkHttpClient" && in.version != "" && !atLeast(in.version, "11") {
		if v == nil {
			v = in.versions.jdk
		}
		out.Notices = append(out.Notices, chain.Notice{Kind: chain.NoticeRejected, Origin: v.Origin, Message: v.name() + " " + v.text() + " has no java.net.http: it is there since 11"})
	}
	if in.typ.Key == "httpclient5" {
		look(hc5Lineage, in.blocks.value("version"))
	}
}
