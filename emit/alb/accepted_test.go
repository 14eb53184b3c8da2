package alb

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclsimple"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
)

// override is what the AWS provider calls the arguments of the two resources.
type override struct {
	Resources []struct {
		Type      string `hcl:"type,label"`
		Name      string `hcl:"name,label"`
		Idle      *int   `hcl:"idle_timeout"`
		KeepAlive *int   `hcl:"client_keep_alive"`
		Delay     *int   `hcl:"deregistration_delay"`
		SlowStart *int   `hcl:"slow_start"`
		Health    *struct {
			Path      string `hcl:"path"`
			Interval  int    `hcl:"interval"`
			Timeout   int    `hcl:"timeout"`
			Healthy   int    `hcl:"healthy_threshold"`
			Unhealthy int    `hcl:"unhealthy_threshold"`
		} `hcl:"health_check,block"`
	} `hcl:"resource,block"`
}

func TestTerraformReadsTheNumbers(t *testing.T) {
	files, _ := golden.Emit(t, Target, checked())
	text := []byte(files["insurance_override.tf"])
	if formatted := hclwrite.Format(text); !bytes.Equal(formatted, text) {
		t.Errorf("terraform fmt would change it (-emitted +formatted):\n%s", cmp.Diff(string(text), string(formatted)))
	}
	var got override
	if err := hclsimple.Decode("x.hcl", text, nil, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Resources) != 2 {
		t.Fatalf("%d resources, want the balancer and one target group", len(got.Resources))
	}
	lb, tg := got.Resources[0], got.Resources[1]
	if lb.Type != "aws_lb" || lb.Name != "edge" || *lb.Idle != 145 || *lb.KeepAlive != 3600 || lb.Delay != nil || lb.Health != nil {
		t.Errorf("balancer: %+v", lb)
	}
	if h := tg.Health; tg.Type != "aws_lb_target_group" || tg.Name != "proxy" || *tg.Delay != 45 || *tg.SlowStart != 60 ||
		h.Path != "/healthz" || h.Interval != 10 || h.Timeout != 5 || h.Healthy != 5 || h.Unhealthy != 2 {
		t.Errorf("target group: %+v, %+v", tg, h)
	}
}

// A stand-in for aws writes down what it is called with, and reads the files that
// it is pointed to as the AWS CLI does.
const fakeAWS = `#!/bin/sh
for a in "$@"; do
	case $a in file://*) a=$(tr -d ' \n' <"${a#file://}") ;; esac
	printf '%s ' "$a"
done
echo
`

func TestTheScriptMakesTheCalls(t *testing.T) {
	files, _, err := Target.Emit(checked(), emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "aws"), []byte(fakeAWS), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(env ...string) (string, error) {
		cmd := exec.Command("sh", filepath.Join(dir, "insurance.aws.sh"))
		cmd.Dir = "/"
		cmd.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH")}, env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	got, err := run("EDGE_LB_ARN=arn:lb", "PROXY_TG_ARN=arn:tg")
	want := `elbv2 modify-load-balancer-attributes --load-balancer-arn arn:lb --attributes [{"Key":"idle_timeout.timeout_seconds","Value":"145"},{"Key":"client_keep_alive.seconds","Value":"3600"}] 
elbv2 modify-target-group-attributes --target-group-arn arn:tg --attributes [{"Key":"deregistration_delay.timeout_seconds","Value":"45"},{"Key":"slow_start.duration_seconds","Value":"60"}] 
elbv2 modify-target-group --target-group-arn arn:tg --cli-input-json {"HealthCheckIntervalSeconds":10,"HealthCheckPath":"/healthz","HealthCheckTimeoutSeconds":5,"HealthyThresholdCount":5,"UnhealthyThresholdCount":2} 
`
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if out, err := run("EDGE_LB_ARN=arn:lb"); err == nil || strings.Contains(out, "elbv2") || !strings.Contains(out, "the ARN of the target group for proxy") {
		t.Errorf("without an ARN it begins: %v\n%s", err, out)
	}
}

func TestEveryAttributeIsOfTheDocumentedShape(t *testing.T) {
	files, _ := golden.Emit(t, Target, checked())
	for name, text := range files {
		if !strings.HasSuffix(name, "-attributes.json") {
			continue
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		var got []struct{ Key, Value *string }
		if err := d.Decode(&got); err != nil || len(got) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range got {
			if p.Key == nil || p.Value == nil {
				t.Errorf("%s: a pair has Key and Value", name)
			}
		}
	}
}

func TestAnnotationsAreStrings(t *testing.T) {
	files, _ := golden.Emit(t, Target, checked())
	got := map[string]string{}
	for name, text := range files {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var o struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct {
				Name        string
				Annotations map[string]any
			}
		}
		d := yaml.NewDecoder(strings.NewReader(text))
		d.KnownFields(true)
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
		for key, v := range o.Metadata.Annotations {
			s, ok := v.(string)
			if !ok {
				t.Errorf("%s: %v is no string, which Kubernetes refuses", key, v)
			}
			got[o.APIVersion+" "+o.Kind+" "+o.Metadata.Name+" "+strings.TrimPrefix(key, "alb.ingress.kubernetes.io/")] = s
		}
	}
	want := map[string]string{
		"networking.k8s.io/v1 Ingress edge load-balancer-attributes": "idle_timeout.timeout_seconds=145,client_keep_alive.seconds=3600",
		"v1 Service proxy target-group-attributes":                   "deregistration_delay.timeout_seconds=45,slow_start.duration_seconds=60",
		"v1 Service proxy healthcheck-path":                          "/healthz",
		"v1 Service proxy healthcheck-interval-seconds":              "10",
		"v1 Service proxy healthcheck-timeout-seconds":               "5",
		"v1 Service proxy healthy-threshold-count":                   "5",
		"v1 Service proxy unhealthy-threshold-count":                 "2",
	}
	if !maps.Equal(want, got) {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
	}
}
