package nginx

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	crossplane "github.com/nginxinc/nginx-go-crossplane"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/sample"
)

// A site is emitted files in a directory with a minimal nginx.conf around them.
type site struct{ dir, conf string }

// install writes the files of a stack and an nginx.conf that includes them as
// their second lines say.
func install(t testing.TB, s *chain.Stack, port int) site {
	t.Helper()
	files, _, err := Target.Emit(s, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var http, servers strings.Builder
	emitted := map[string]bool{}
	for _, f := range files {
		emitted[f.Name] = true
	}
	for _, f := range files {
		switch first := strings.Split(string(f.Content), "\n")[1]; {
		case strings.Contains(first, "in http {}"):
			fmt.Fprintf(&http, "    include %s;\n", f.Name)
		case strings.Contains(first, "in server {"):
			name := "_"
			if _, rest, ok := strings.Cut(first, "server_name "); ok {
				name, _, _ = strings.Cut(rest, ";")
			}
			fmt.Fprintf(&servers, "    server {\n        listen 127.0.0.1:%d;\n        server_name %s;\n        include %s;\n    }\n", port, name, f.Name)
		}
		for line := range strings.Lines(string(f.Content)) {
			name, ok := strings.CutPrefix(strings.TrimSpace(line), "include  ")
			if name = strings.TrimSuffix(strings.TrimSpace(name), ";"); ok && !emitted[name] {
				files = append(files, emit.File{Name: name, Content: []byte("server 127.0.0.1:9;\n")})
			}
		}
	}
	temp := ""
	for _, m := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temp += "    " + m + "_temp_path " + m + ";\n"
	}
	conf := "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr info;\nevents {}\nhttp {\n    access_log off;\n" +
		temp + http.String() + servers.String() + "}\n"
	files = append(files, emit.File{Name: "nginx.conf", Content: []byte(conf)})
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	return site{dir, filepath.Join(dir, "nginx.conf")}
}

// directives are all directives by "context name", with their arguments, as the
// parser of NGINX's own makers reads them.
func directives(t testing.TB, conf string) map[string][]string {
	t.Helper()
	payload, err := crossplane.Parse(conf, &crossplane.ParseOptions{
		CombineConfigs: true, ErrorOnUnknownDirectives: true, StopParsingOnError: true,
		DirectiveSources: []crossplane.MatchFunc{crossplane.MatchOssLatest},
		Open:             openIn(filepath.Dir(conf)),
		Glob:             globIn(filepath.Dir(conf)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload.Status != "ok" {
		t.Fatalf("crossplane: %v", payload.Errors)
	}
	combined, err := payload.Combined()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	var walk func(ds crossplane.Directives, in string)
	walk = func(ds crossplane.Directives, in string) {
		for _, d := range ds {
			text := strings.Join(d.Args, " ")
			if d.IsBlock() {
				walk(d.Block, strings.TrimSpace(d.Directive+" "+text))
				continue
			}
			out[in+" | "+d.Directive] = append(out[in+" | "+d.Directive], text)
		}
	}
	walk(combined.Config[0].Parsed, "main")
	return out
}

func TestParsesBackToTheSameNumbers(t *testing.T) {
	s := sample.Insurance()
	n := sample.Node(s.Routes[0], "proxy")
	sample.Set(n, "upstream", "keepalive", "16")
	sample.Set(n, "server", "proxy_http_version", "1.1")
	sample.Set(n, "server.proxy_set_header", "Connection", "")
	got := directives(t, install(t, s, 8080).conf)
	var checked int
	for _, set := range n.Settings {
		name, context := set.Origin.Name, "server"
		switch {
		case !stated(set) && set.Origin.Name != "keepalive" || set.Block == "upstream" && (name == "max_fails" || name == "fail_timeout"):
			continue
		case set.Block == "upstream":
			context = "upstream api"
		case familyOf(name) != "":
			context = "location = /v1/affiliation/health-insurance"
		}
		want := []string{set.Value}
		if name == "server" {
			want = nil
			for a := range strings.FieldsSeq(set.Value) {
				want = append(want, a+" max_fails=1 fail_timeout=10s")
			}
		}
		if d := cmp.Diff(want, got[context+" | "+name]); d != "" {
			t.Errorf("%s in %s (-want +got):\n%s", name, context, d)
		}
		checked++
	}
	if checked < 15 {
		t.Errorf("only %d settings compared", checked)
	}
	if d := cmp.Diff([]string{"Connection "}, got["server | proxy_set_header"]); d != "" {
		t.Errorf("proxy_set_header (-want +got):\n%s", d)
	}
}

func openIn(dir string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) { return os.Open(inDir(dir, name)) }
}

func globIn(dir string) func(string) ([]string, error) {
	return func(name string) ([]string, error) { return filepath.Glob(inDir(dir, name)) }
}

func inDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
