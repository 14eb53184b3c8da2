package compile

// A bootRow is what Spring Boot's releases from one to another bring. All of a
// row's releases of a part behave alike.
type bootRow struct {
	from, last          string
	spring, httpclient5 releaseSpan
	tomcat              string
}

// A releaseSpan is the first and the last of the releases that a row brings.
type releaseSpan struct{ first, last string }

// bootRows are read from each Spring Boot tag, oldest first.
var bootRows = []bootRow{
	{"3.0.0", "3.0.13", releaseSpan{"6.0.2", "6.0.14"}, only("5.1.4"), "10.1"},
	{"3.1.0", "3.1.12", releaseSpan{"6.0.9", "6.0.21"}, releaseSpan{"5.2.1", "5.2.3"}, "10.1"},
	{"3.2.0", "3.2.11", releaseSpan{"6.1.1", "6.1.14"}, releaseSpan{"5.2.1", "5.2.3"}, "10.1"},
	{"3.2.12", "3.2.12", only("6.1.15"), only("5.2.3"), "10.1"},
	{"3.3.0", "3.3.5", releaseSpan{"6.1.8", "6.1.14"}, only("5.3.1"), "10.1"},
	{"3.3.6", "3.3.11", releaseSpan{"6.1.15", "6.1.19"}, only("5.3.1"), "10.1"},
	{"3.3.12", "3.3.13", releaseSpan{"6.1.20", "6.1.21"}, only("5.3.1"), "10.1"},
	{"3.4.0", "3.4.5", releaseSpan{"6.2.0", "6.2.6"}, releaseSpan{"5.4.1", "5.4.3"}, "10.1"},
	{"3.4.6", "3.4.13", releaseSpan{"6.2.7", "6.2.15"}, only("5.4.4"), "10.1"},
	{"3.5.0", "3.5.0", only("6.2.7"), only("5.4.4"), "10.1"},
	{"3.5.1", "3.5.6", releaseSpan{"6.2.8", "6.2.11"}, only("5.5"), "10.1"},
	{"3.5.7", "3.5.9", releaseSpan{"6.2.12", "6.2.15"}, only("5.5.1"), "10.1"},
	{"3.5.10", "3.5.16", releaseSpan{"6.2.15", "6.2.19"}, only("5.5.2"), "10.1"},
	{"4.0.0", "4.0.1", releaseSpan{"7.0.1", "7.0.2"}, only("5.5.1"), "11.0"},
	{"4.0.2", "4.0.8", releaseSpan{"7.0.3", "7.0.9"}, only("5.5.2"), "11.0"},
	{"4.1.0", "4.1.0", only("7.0.8"), only("5.6.1"), "11.0"},
	{"4.1.1", "4.1.1", only("7.0.9"), only("5.6.4"), "11.0"},
	{"4.1.2", "4.1.2", only("7.0.10"), only("5.6.5"), "11.0"},
}

// movedProperties are the Spring Boot releases inside of a row from which on a
// property of the client is put at another place.
var movedProperties = []string{"3.4.12", "3.5.8"}

func only(release string) releaseSpan { return releaseSpan{release, release} }

// of is a release that behaves as the one that a release of Spring Boot brings:
// itself, where that is known.
func (s releaseSpan) of(row bootRow, boot string) string {
	if boot == row.from {
		return s.first
	}
	return s.last
}

// text is the release in words: the ones that it may be, where it is one of several.
func (s releaseSpan) text(row bootRow, boot string) string {
	if s.first == s.last || boot == row.from || boot == row.last || !atLeast(row.last, boot) || tooCoarse(boot, row.last) {
		return s.of(row, boot)
	}
	return s.first + " to " + s.last
}

// bootRowOf is the row of a release; a release that is written too coarsely
// counts as the newest of its line, one before the first row as of that.
func bootRowOf(boot string) (row bootRow, ok bool) {
	row = bootRows[0]
	for _, r := range bootRows {
		if atLeast(boot, r.from) {
			row, ok = r, true
		}
	}
	return row, ok
}

// springOfBoot is a Spring Framework release as Spring Boot's brings it; "" of none.
func springOfBoot(boot string) string {
	if boot == "" {
		return ""
	}
	row, _ := bootRowOf(boot)
	return row.spring.of(row, boot)
}

// springText is the same in words.
func springText(boot string) string {
	row, _ := bootRowOf(boot)
	return row.spring.text(row, boot)
}
