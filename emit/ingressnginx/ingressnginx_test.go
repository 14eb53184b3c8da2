package ingressnginx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// routed is the sample with further routes, each with an annotation of another value.
func routed(name, text string, paths ...string) *chain.Stack {
	s := sample.Ingressed()
	for _, path := range paths {
		r := sample.IngressedRoute()
		r.Name, r.Method, r.Pathname = path, "", path
		sample.Set(sample.Node(r, "proxy"), "annotations", name, text)
		s.Routes = append(s.Routes, r)
	}
	return s
}

const apart = "Ingress proxy-report-id has to hold the paths that its comments name, and no other Ingress may: annotations hold for all paths of one"

var golds = []struct {
	name     string
	stack    *chain.Stack
	warnings []string
}{
	{"ingressed", sample.Ingressed(), nil},
	{"shared", routed("proxy-connect-timeout", "3", "/other"), nil},
	{"apart", routed("proxy-send-timeout", "30", "/report/{id}", "/file"), []string{apart}},
}

func TestGolden(t *testing.T) {
	for _, tc := range golds {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if d := cmp.Diff(tc.warnings, warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tc.name, d)
		}
	}
}

// A route of gRPC needs another backend-protocol than one of HTTP, and so an Ingress of
// its own, although all its timers are the same.
func TestEveryIngressHasOneProtocol(t *testing.T) {
	for _, tc := range []struct {
		grpc, tls bool
		want      []string
	}{
		{want: []string{""}},
		{grpc: true, want: []string{"", "GRPC"}},
		{tls: true, want: []string{"HTTPS"}},
		{grpc: true, tls: true, want: []string{"HTTPS", "GRPCS"}},
	} {
		s := routed("proxy-connect-timeout", "3", "/other")
		for _, r := range s.Routes {
			sample.Node(r, "proxy").Calls()[0].TLS = tc.tls
		}
		if tc.grpc {
			s.Routes[1].Protocol = "grpc"
		}
		files, _ := golden.Emit(t, Target, s)
		var got []string
		for doc := range strings.SplitSeq(files["insurance.proxy.ingress.yaml"], "---\n") {
			var ingress struct {
				Metadata struct{ Annotations map[string]string }
			}
			if err := yaml.Unmarshal([]byte(doc), &ingress); err != nil {
				t.Fatal(err)
			}
			got = append(got, ingress.Metadata.Annotations["nginx.ingress.kubernetes.io/backend-protocol"])
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("gRPC %v, TLS %v (-want +got):\n%s", tc.grpc, tc.tls, d)
		}
	}
}

// Kubernetes takes strings only, in annotations as in a ConfigMap's data.
func TestEveryValueIsAString(t *testing.T) {
	type object struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct {
			Name        string
			Annotations map[string]any
		}
		Data map[string]any
	}
	for _, tc := range golds {
		files, _ := golden.Emit(t, Target, tc.stack)
		var kinds []string
		for _, name := range []string{"insurance.proxy.configmap.yaml", "insurance.proxy.ingress.yaml"} {
			d := yaml.NewDecoder(strings.NewReader(files[name]))
			d.KnownFields(true)
			for {
				var o object
				if err := d.Decode(&o); err != nil {
					if err.Error() != "EOF" {
						t.Error(err)
					}
					break
				}
				kinds = append(kinds, o.APIVersion+" "+o.Kind+" "+o.Metadata.Name)
				for _, values := range []map[string]any{o.Metadata.Annotations, o.Data} {
					for key, v := range values {
						if _, ok := v.(string); !ok {
							t.Errorf("%s: %s: %v is no string", tc.name, key, v)
						}
					}
				}
			}
		}
		want := []string{"v1 ConfigMap ingress-nginx-controller", "networking.k8s.io/v1 Ingress proxy"}
		if tc.warnings != nil {
			want = append(want, "networking.k8s.io/v1 Ingress proxy-report-id")
		}
		if d := cmp.Diff(want, kinds); d != "" {
			t.Errorf("%s: objects (-want +got):\n%s", tc.name, d)
		}
	}
}

// A value that a route writes again is no reason for another Ingress.
func TestTheSameValueFromElsewhere(t *testing.T) {
	s := routed("proxy-send-timeout", "10", "/other")
	settings := sample.Node(s.Routes[1], "proxy").Settings
	for i := range settings {
		settings[i].Origin.Setting = "routes." + settings[i].Origin.Name
	}
	files, warnings := golden.Emit(t, Target, s)
	if n := strings.Count(files["insurance.proxy.ingress.yaml"], "kind: Ingress"); n != 1 || warnings != nil {
		t.Errorf("%d Ingresses, warnings %q", n, warnings)
	}
}

// What the ConfigMap says of all Ingresses is an annotation, too: it holds whatever
// the ConfigMap of the installation says.
func TestAnnotationsHoldWhatIsInForce(t *testing.T) {
	files, _ := golden.Emit(t, Target, sample.Ingressed())
	const want = `    nginx.ingress.kubernetes.io/proxy-read-timeout: "125" # proxy.ingressNginx.configMap."proxy-read-timeout"` + "\n"
	if text := files["insurance.proxy.ingress.yaml"]; !strings.Contains(text, want) {
		t.Errorf("want %s\n in %s", want, text)
	}
}

func TestRefusals(t *testing.T) {
	set := func(block, name, text string) func(*chain.Stack) {
		return func(s *chain.Stack) { sample.Set(sample.Node(s.Routes[0], "proxy"), block, name, text) }
	}
	for _, tc := range []struct {
		name   string
		change func(*chain.Stack)
		want   string
	}{
		{"no ingress-nginx", func(s *chain.Stack) { sample.Node(s.Routes[0], "proxy").Type = "nginx" }, "no route of insurance crosses an ingress-nginx"},
		{"a time with a unit", set("annotations", "proxy-send-timeout", "10s"), `proxy.ingressNginx.annotations."proxy-send-timeout" 10s: cannot be written by tchain emit ingress-nginx: it is a whole number without a unit`},
		{"a negative time", set("annotations", "proxy-send-timeout", "-1"), "it is a whole number without a unit"},
		{"a switch that is none", set("annotations", "proxy-buffering", "maybe"), "it is a switch"},
		{"another version", set("annotations", "proxy-http-version", "2"), "it is 1.0 or 1.1"},
		{"conditions that need quoting", set("annotations", "proxy-next-upstream", `error "x"`), "it is words with spaces between"},
		{"no time of NGINX's", set("configMap", "worker-shutdown-timeout", "4 minutes"), "it is a time of NGINX's"},
		{"given at run time", func(s *chain.Stack) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.ingressNginx.annotations", Reason: "it is " + chain.WhyInjected, AtRunTime: "it"}}
		}, "its value comes at run time"},
		{"two values of the ConfigMap", func(s *chain.Stack) {
			r := sample.IngressedRoute()
			r.Name = "again"
			sample.Set(sample.Node(r, "proxy"), "configMap", "keep-alive", "9")
			s.Routes = append(s.Routes, r)
		}, "GET /v1/affiliation/health-insurance and again: cannot be written by tchain emit ingress-nginx: they share the ConfigMap of proxy, and its values differ"},
		{"two Ingresses of one name", func(s *chain.Stack) {
			s.Routes = append(s.Routes, routed("proxy-send-timeout", "30", "/a/b").Routes[1], routed("proxy-send-timeout", "31", "/a-b").Routes[1])
		}, "/a/b and /a-b: cannot be written by tchain emit ingress-nginx: their Ingresses would both be proxy-a-b"},
	} {
		s := sample.Ingressed()
		tc.change(s)
		t.Run(tc.name, func(t *testing.T) { golden.Refuses(t, Target, s, tc.want) })
	}
}
