package prometheus

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A call is one call of a route with what its metrics are chosen by.
type call struct {
	emit.Hop // of the callee
	limit    chain.Limit
}

func (m *metric) byRoute() bool {
	return slices.ContainsFunc(m.labels, func(l label) bool { return l.value == "{path}" })
}

// selector is a metric's series for a call, in PromQL.
func (x call) selector(m *metric, suffix string, more ...label) string {
	var parts []string
	for _, l := range append(append([]label(nil), m.labels...), more...) {
		quote := func(s string) string { return s }
		if l.op == "=~" {
			quote = regexp.QuoteMeta
		}
		client := x.Call.Client
		if client == "" {
			client = x.Node.Layer
		}
		value := strings.NewReplacer("{layer}", quote(x.Outer.Layer), "{peer}", quote(x.Node.Layer), "{client}", quote(client),
			"{object}", quote(emit.ObjectName(x.Outer.Layer)), "{service}", quote(emit.ObjectName(x.Node.Layer)), // as tchain emit ingress-nginx calls them
			"{method}", x.method(), "{path}", x.path(), "{status}", string(x.limit.Fires)).Replace(l.value)
		if value == "" {
			continue
		}
		op := l.op
		if op == "=~" && regexp.QuoteMeta(value) == value {
			op = "="
		}
		parts = append(parts, l.name+op+strconv.Quote(value))
	}
	return m.name + suffix + "{" + strings.Join(parts, ",") + "}"
}

// Behind an app nothing is known of the method and the path: it chooses those of its
// own calls.
func (x call) method() string {
	if x.Inside {
		return ""
	}
	return x.Route.Method
}

var parameter = regexp.MustCompile(`\\\{[^/]*?(\\\.\\\.\\\.)?\\\}`)

// path is a regular expression for the route's path as the callee's framework writes
// it, whose parameters may have other names.
func (x call) path() string {
	path := x.Route.Pathname
	if x.Inside || path == "" {
		return ""
	}
	text := parameter.ReplaceAllStringFunc(regexp.QuoteMeta(path), func(p string) string {
		if strings.HasSuffix(p, `\.\.\.\}`) {
			return ".*"
		}
		return `\{[^/]+\}`
	})
	if x.Route.Prefix && !strings.HasSuffix(text, ".*") {
		text += ".*"
	}
	return text
}

// inUnit is a duration as PromQL and the le label of a histogram write it.
func inUnit(d, unit time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(unit), 'f', -1, 64)
}
