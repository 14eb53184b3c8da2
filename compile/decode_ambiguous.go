package compile

import (
	"fmt"
	"net/http"
	"regexp"
)

// ambiguous reports routes of which no rule says which one a request takes: ServeMux,
// whose patterns they are, refuses the second of them. Where only the methods make it
// refuse, as with "GET /" and "/f/", the path decides.
func (d *decoder) ambiguous(fields []member) {
	mux := http.NewServeMux()
	var before, outside []string // outside are those that mux did not take
	for _, f := range fields {
		if wrongPattern(f.name) != "" {
			continue // reported where it is read
		}
		others := outside
		if join(mux, f.name) != "" {
			others, outside = before, append(outside, f.name)
		}
		for _, other := range others {
			if why := conflict(other, f.name); why != "" {
				d.failLabel(f.path, "route pattern %q %s", f.name, why)
				break
			}
		}
		before = append(before, f.name)
	}
}

// join adds a pattern; why is what ServeMux says where it cannot.
func join(mux *http.ServeMux, pattern string) (why string) {
	defer func() {
		if e := recover(); e != nil {
			why = fmt.Sprint(e)
		}
	}()
	mux.Handle(pattern, http.NotFoundHandler())
	return ""
}

// bothMatch is a path that ServeMux gives as an example of what both match.
var bothMatch = regexp.MustCompile(`both match some paths, like "([^"]*)"`)

// conflict is what two patterns have in common so that neither is more specific; "" if
// one of them is, or nothing is.
func conflict(first, second string) string {
	full, paths := http.NewServeMux(), http.NewServeMux()
	join(full, first)
	join(paths, anyMethod(first))
	why := join(full, second)
	if why == "" || join(paths, anyMethod(second)) == "" {
		return ""
	}
	if m := bothMatch.FindStringSubmatch(why); m != nil {
		return fmt.Sprintf("and %q both match %s, and neither is more specific", first, m[1])
	}
	return fmt.Sprintf("matches requests of %q, too, and neither is more specific", first)
}

func anyMethod(pattern string) string {
	_, host, path, _ := splitPattern(pattern)
	return host + path
}
