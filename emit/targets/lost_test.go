package targets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit"
)

// A home is where the settings of a type stand in a stack: a format of it, and what
// stands beside each setting, by path, without which the target writes nothing.
type home struct {
	target, category, key string
	stack                 string
	beside                [][2]string
}

const (
	layered   = "layers: {\n\tedge: %s: {%s}\n\tapi: app: {}\n}\nroutes: \"GET /\": path: [\"edge\", \"api\"]\n"
	calling   = "layers: {\n\tedge: app: clients: api: %s: {%s}\n\tapi: {endpoint: scheme: \"https\", external: {}}\n}\nroutes: \"GET /\": path: [\"edge\", \"api\"]\n"
	answering = "layers: {\n\tedge: app: {server: %s: {%s}, clients: api: httpclient5: {}}\n\tapi: {endpoint: scheme: \"https\", external: {}}\n}\nroutes: \"GET /\": path: [\"edge\", \"api\"]\n"
	serving   = "layers: edge: app: server: %s: {%s}\nroutes: \"GET /\": path: [\"edge\"]\n"
)

var homes = []home{
	{"alb", "layer", "alb", layered, nil},
	{"envoy", "layer", "envoy", layered, [][2]string{{"route.retry_policy.retry_on", `"5xx"`}}},
	{"gateway-api", "layer", "gatewayAPI", layered, nil},
	{"haproxy", "layer", "haproxy", layered, nil},
	{"ingress-nginx", "layer", "ingressNginx", layered, nil},
	{"istio", "layer", "istio", layered, [][2]string{{"virtualService.http.retries.attempts", "3"}}},
	{"nginx", "layer", "nginx", layered, nil},
	{"go", "client", "gohttp", calling, [][2]string{{"Transport.Dialer.Timeout", `"1s"`}, {"Transport.TLSHandshakeTimeout", `"1s"`}, {"Transport.IdleConnTimeout", `"9s"`}}},
	{"node", "client", "node", calling, nil},
	{"node", "client", "undici", calling, nil},
	{"spring", "client", "httpclient5", calling, nil},
	{"spring", "client", "webclient", calling, nil},
	{"go", "server", "gohttp", serving, nil},
	{"node", "server", "node", serving, nil},
	{"spring", "server", "tomcat", serving, nil},
	{"spring", "server", "jetty", answering, nil},
	{"spring", "server", "netty", answering, nil},
	{"spring", "server", "undertow", answering, nil},
}

// unwritten are the settings that a target has nothing for, and says so: what its own
// mechanism does otherwise or not at all, and what stands in no file of its kind.
var unwritten = map[string][]string{
	"node client node":          {"node.autoSelectFamilyAttemptTimeout", "node.agent.keepAliveMsecs", "node.agent.agentKeepAliveTimeoutBuffer", "node.agent.scheduling"},
	"node client undici":        {"undici.autoSelectFamilyAttemptTimeout", "undici.keepAliveMaxTimeout", "undici.keepAliveTimeoutThreshold", "undici.pipelining"},
	"spring client httpclient5": {"httpclient5.client.connectionManagerShared"},
	"spring client webclient": {"webclient.secure.closeNotifyFlushTimeout", "webclient.secure.closeNotifyReadTimeout",
		"webclient.proxy.connectTimeoutMillis", "webclient.resolver.maxQueriesPerResolve"},
	// application.yml is Tomcat's.
	"spring server jetty": {"*"}, "spring server netty": {"*"}, "spring server undertow": {"*"},
	// Boot has no property for them.
	"spring server tomcat": {"tomcat.disableUploadTimeout", "tomcat.http2.readTimeout", "tomcat.http2.writeTimeout",
		"tomcat.http2.keepAliveTimeout", "tomcat.http2.streamReadTimeout", "tomcat.http2.streamWriteTimeout"},
}

// follows are settings that say how something is made which the emitted files make
// themselves, and one value that they always have: here it is that value.
var follows = []string{
	"gohttp.ForceAttemptHTTP2", "node.destroyOnTimeout", "node.autoSelectFamily", "undici.autoSelectFamily",
	"httpclient5.context.class", "httpclient5.context.copyOf", "httpclient5.context.object",
}

func TestEverySettingOfATypeIsWrittenOrTold(t *testing.T) {
	for _, h := range homes {
		t.Run(h.target+" "+h.category+" "+h.key, func(t *testing.T) {
			docs, err := compile.Settings(h.key)
			if err != nil {
				t.Fatal(err)
			}
			var lost, all []string
			for _, d := range docs {
				if d.Category != h.category || d.Fixed {
					continue
				}
				all = append(all, d.ID)
				if !h.writes(t, d) {
					lost = append(lost, d.ID)
				}
			}
			want := unwritten[h.target+" "+h.category+" "+h.key]
			if slices.Equal(want, []string{"*"}) {
				want = all
			}
			if !slices.Equal(lost, want) {
				t.Errorf("nothing is written for\n%q\nnot for\n%q", lost, want)
			}
		})
	}
}

const repeats = "operators[0].retryWhen."

// together are the settings without which another is no value of its block, by its ID.
var together = map[string][][2]string{
	"webclient.operators.retryWhen.fixedDelay.delay":   {{repeats + "fixedDelay.attempts", "2"}},
	"webclient.operators.retryWhen.backoff.minBackoff": {{repeats + "backoff.attempts", "2"}},
	"webclient.operators.retryWhen.backoff.jitter":     {{repeats + "backoff.attempts", "2"}, {repeats + "backoff.minBackoff", `"1s"`}},
	"webclient.operators.retryWhen.filter":             {{repeats + "max", "2"}},
}

var placeholder = regexp.MustCompile(`<\w+>`)

// writes reports whether the target writes a setting; if not, it says so, or the
// test has failed.
func (h home) writes(t *testing.T, d compile.SettingDoc) bool {
	path := placeholder.ReplaceAllString(strings.ReplaceAll(d.Paths[0], "<peer>", "api"), `"/"`)
	v := value(d)
	files, told := h.emit(t, slices.Concat(together[d.ID], [][2]string{{path, v}}))
	name := h.key + "." + path
	at := max(strings.Index(told, name+": "), strings.Index(told, name+" "))
	switch {
	case strings.Contains(files, name):
	case at >= 0:
		line, _, _ := strings.Cut(told[at:], "\n")
		return !strings.Contains(line, " is not written: ")
	default:
		if before, _ := h.emit(t, together[d.ID]); uncommented(before) == uncommented(files) && !slices.Contains(follows, d.ID) {
			t.Errorf("%s %s is neither written nor told: %s", path, v, told)
		}
	}
	return true
}

var figure = regexp.MustCompile(`[0-9]+`)

// A target that writes a setting writes it at zero and below, too, where the product
// takes that: it often is a word of its own there, and a field is left out for it.
func TestZeroAndLessAreWrittenWhereMoreIs(t *testing.T) {
	for _, h := range homes {
		docs, err := compile.Settings(h.key)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			lost := unwritten[h.target+" "+h.category+" "+h.key]
			if d.Category != h.category || d.Fixed || slices.Contains(lost, d.ID) || slices.Equal(lost, []string{"*"}) || !figure.MatchString(value(d)) {
				continue
			}
			path := placeholder.ReplaceAllString(strings.ReplaceAll(d.Paths[0], "<peer>", "api"), `"/"`)
			for _, zero := range []string{"0", "-1"} {
				set := slices.Concat(together[d.ID], [][2]string{{path, figure.ReplaceAllString(value(d), zero)}})
				if _, errs := read(t, h.text(set)); errs != nil {
					continue // the product does not take it, or nothing is of its notation
				}
				_, told := h.emit(t, set)
				for line := range strings.SplitSeq(told, "\n") {
					if strings.Contains(line, path+": ") && strings.HasSuffix(line, " has nothing for it") {
						t.Errorf("%s: %s", h.target, line)
					}
				}
			}
		}
	}
}

// comments are those of all targets; what a file is made from stands in one.
var comments = regexp.MustCompile(`(?m)(^|\s)(#|//).*$`)

func uncommented(text string) string { return comments.ReplaceAllString(text, "") }

// emit are the files for settings with values, and what is said of them.
func (h home) emit(t *testing.T, set [][2]string) (files, told string) {
	t.Helper()
	stack, errs := read(t, h.text(set))
	if errs != nil {
		t.Fatalf("%s: %v", set, errs)
	}
	target, _ := Named(h.target)
	out, warnings, err := target.Emit(stack, emit.Options{})
	if err != nil {
		told = err.Error()
	}
	for _, f := range out {
		files += string(f.Content)
	}
	for _, w := range warnings {
		told += "\n" + w.String()
	}
	return files, told
}

// text is a stack with settings.
func (h home) text(set [][2]string) string {
	var lines []string
	for _, b := range slices.Concat(set, h.beside) {
		if text := cue(b[0], b[1]); !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, cue(b[0], "")) }) {
			lines = append(lines, text)
		}
	}
	return fmt.Sprintf(h.stack, h.key, strings.Join(lines, ", "))
}

// cue is one setting as CUE. A list has one element.
func cue(path, value string) string {
	out := ""
	for part := range strings.SplitSeq(path, ".") {
		if name, ok := strings.CutSuffix(part, "[0]"); ok {
			out += name + ": [{"
			value += "}]"
			continue
		}
		out += part + ": "
	}
	return out + value
}

// values are those that cannot be guessed.
var values = map[string]string{
	"envoy.retry_policy.retry_on":                    `"5xx"`,
	"gatewayAPI.retry.codes":                         "[503]",
	"istio.virtualService.http.retries.retryOn":      `"5xx"`,
	"undici.RetryAgent.methods":                      `["GET"]`,
	"undici.RetryAgent.statusCodes":                  "[503]",
	"undici.RetryAgent.maxRetries":                   "7",
	"webclient.operators.retryWhen.fixedDelay.delay": `"9s"`,
	"webclient.operators.retryWhen.filter":           `["5xx"]`,
	"webclient.operators.retryWhen.backoff.jitter":   "0.25",
}

// value is one that the setting takes, from what is said of it.
func value(d compile.SettingDoc) string {
	if v, ok := values[d.ID]; ok {
		return v
	}
	if _, example, ok := strings.Cut(d.Takes, ", as "); ok {
		return example
	}
	switch {
	case strings.Contains(d.Takes, "int"):
		if low, _, ok := strings.Cut(d.Range, " to "); ok {
			return low
		}
		return "7"
	case strings.Contains(d.Takes, "bool"):
		return "true"
	case d.Takes == "string":
		return `"/x"`
	case d.Takes == "list":
		return "[503]"
	}
	words := strings.Split(strings.TrimPrefix(d.Takes, "a list of "), ", ")
	return fmt.Sprintf("%q", words[len(words)-1])
}

func read(t *testing.T, text string) (*chain.Stack, []compile.Error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte("package shop\n\ntchain: \"v1\"\nname: \"shop\"\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out *compile.Unit
	compile.Each([]string{dir}, compile.Options{}, func(u *compile.Unit) { out = u })
	return out.Stack, slices.Clip(out.Errors)
}
