package compile

import "testing"

func TestAKeyByPathIsReadAsARouteIs(t *testing.T) {
	for _, row := range []struct {
		n, key, route string
		prefix        bool
		want          string
	}{
		{"a path is that path", "/a", "/a", false, "whole"},
		{"and not one that begins like it", "/a", "/ab", false, "none"},
		{"nor what is below", "/a", "/a/b", false, "none"},
		{"with a slash it is what is below", "/a/", "/a/b", false, "whole"},
		{"and not the path itself", "/a/", "/a", false, "none"},
		{"a wildcard is the same one", "/x/{id}", "/x/{id}", false, "whole"},
		{"whatever its name", "/x/{id}", "/x/{nr}", false, "whole"},
		{"or any segment", "/x/{id}", "/x/7", false, "whole"},
		{"of a route with a wildcard a path is a part", "/x/7", "/x/{id}", false, "part"},
		{"a wildcard is one segment", "/x/{id}", "/x/7/y", false, "none"},
		{"a wildcard in the middle", "/x/{id}/y", "/x/7/y", false, "whole"},
		{"the rest is what is below", "/x/{rest...}", "/x/7/y", false, "whole"},
		{"of a route with a slash a path below is a part", "/x/7", "/x/", true, "part"},
		{"and the path before it none", "/x", "/x/", true, "none"},
		{"a slash holds for all of a route with it", "/x/", "/x/y/", true, "whole"},
		{"the root holds for all", "/", "/x/y/", true, "whole"},
		{"the root alone for itself", "/{$}", "/", true, "part"},
		{"what is no path holds for none", "~ ^/x", "/x", false, "none"},
	} {
		whole, part := location{path: row.route, prefix: row.prefix}.under(row.key)
		got := "none"
		switch {
		case whole && part:
			got = "both"
		case whole:
			got = "whole"
		case part:
			got = "part"
		}
		if got != row.want {
			t.Errorf("%s: %q is %s of %q, want %s", row.n, row.key, got, row.route, row.want)
		}
	}
	keys := []string{"/", "/x/{id}", "/x/", "/x/7"}
	for route, want := range map[string]string{"/x/7": "/x/7", "/x/8": "/x/{id}", "/x/8/y": "/x/", "/y": "/"} {
		if got, _ := (location{path: route}).closest(keys); got != want {
			t.Errorf("%s: %q, want %q", route, got, want)
		}
	}
}
