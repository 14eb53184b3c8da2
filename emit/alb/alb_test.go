package alb

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// checked is the sample with a health check, a ramp and a delay of its own.
func checked() *chain.Stack {
	s := sample.Insurance()
	n := sample.Node(s.Routes[0], "edge")
	sample.Set(n, health, "path", "/healthz")
	sample.Set(n, health, "interval", "10")
	sample.Set(n, group, "slow_start", "60")
	sample.Set(n, group, "deregistration_delay", "45")
	return s
}

func TestGolden(t *testing.T) {
	for name, s := range map[string]*chain.Stack{"insurance": sample.Insurance(), "checked": checked()} {
		files, warnings := golden.Emit(t, Target, s)
		golden.Compare(t, "testdata/"+name, files)
		if warnings != nil {
			t.Errorf("warnings: %v", warnings)
		}
	}
}

func TestTwoBalancersHaveFilesOfTheirOwn(t *testing.T) {
	s := sample.Insurance()
	other := sample.InsuranceRoute()
	other.Name = "GET /x"
	n := sample.Node(other, "edge")
	n.Layer = "internal"
	s.Routes = append(s.Routes, other)
	files, _ := golden.Emit(t, Target, s)
	for _, name := range []string{"insurance.edge_override.tf", "insurance.internal_override.tf", "insurance.internal.proxy.service.yaml"} {
		if files[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	one, _, err := Target.Emit(s, emit.Options{Routes: []string{"GET /x"}})
	if err != nil || len(one) != 7 || one[0].Name != "insurance.internal_override.tf" || !strings.Contains(string(one[0].Content), `"aws_lb" "internal"`) {
		t.Errorf("narrowed to one route: %d files, %v", len(one), err)
	}
}

func TestTwoTargetGroups(t *testing.T) {
	s := sample.Insurance()
	other := sample.InsuranceRoute()
	other.Name = "GET /x"
	sample.Node(other, "proxy").Layer = "web-2"
	s.Routes = append(s.Routes, other)
	files, _ := golden.Emit(t, Target, s)
	if tf := files["insurance_override.tf"]; strings.Count(tf, "aws_lb_target_group") != 2 || strings.Count(tf, `"aws_lb" `) != 1 {
		t.Errorf("want one balancer with two target groups:\n%s", tf)
	}
	if sh := files["insurance.aws.sh"]; !strings.Contains(sh, `"$WEB_2_TG_ARN"`) {
		t.Errorf("no second target group:\n%s", sh)
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, n *chain.Node)
		want   string
	}{
		{"no balancer", func(_ *chain.Stack, n *chain.Node) { n.Type = "nlb" }, "tchain emit alb: no route of insurance crosses an ALB"},
		{"longer than the balancer takes", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, balancer, "idle_timeout", "4001") },
			"edge.alb.idle_timeout 4001: cannot be written by tchain emit alb: idle_timeout is from 1 to 4000"},
		{"shorter than the balancer takes", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, balancer, "client_keep_alive", "30") },
			"edge.alb.client_keep_alive 30: cannot be written by tchain emit alb: client_keep_alive is from 60 to 604800"},
		{"a ramp between off and the shortest", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, group, "slow_start", "29") },
			"edge.alb.target_group.proxy.slow_start 29: cannot be written by tchain emit alb: slow_start is from 30 to 900"},
		{"a part of a second", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, health, "timeout", "2.5") },
			"edge.alb.target_group.proxy.health_check.timeout 2.5: cannot be written by tchain emit alb: timeout is a whole number"},
		{"no path", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, health, "path", "healthz") }, "a health check asks for a path"},
		{"a path that a shell would read", func(_ *chain.Stack, n *chain.Node) { sample.Set(n, health, "path", "/$x") }, "a health check asks for a path"},
		{"not known here", func(_ *chain.Stack, n *chain.Node) { n.Settings[0].Value = "" },
			"edge.alb.idle_timeout: cannot be written by tchain emit alb: it has no value that is known here"},
		{"a health check that is not known here", func(_ *chain.Stack, n *chain.Node) { n.Settings[4].Value = "" },
			"edge.alb.target_group.proxy.health_check.interval: cannot be written by tchain emit alb: it has no value that is known here"},
		{"stack name", func(s *chain.Stack, _ *chain.Node) { s.Name = "../x" }, "file name takes letters"},
		{"routes that differ", func(s *chain.Stack, _ *chain.Node) {
			other := sample.InsuranceRoute()
			other.Name = "GET /x"
			sample.Set(sample.Node(other, "edge"), group, "deregistration_delay", "5")
			s.Routes = append(s.Routes, other)
		}, "GET /v1/affiliation/health-insurance and GET /x share one balancer, where deregistration_delay cannot be both 300 and 5"},
		{"two layers with one variable", func(s *chain.Stack, _ *chain.Node) {
			for _, name := range []string{"web-2", "web_2"} {
				other := sample.InsuranceRoute()
				other.Name = "GET /" + name
				sample.Node(other, "proxy").Layer = name
				s.Routes = append(s.Routes, other)
			}
		}, "would both be WEB_2 in the script"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(s, sample.Node(s.Routes[0], "edge"))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}

func TestTwoBalancersOfOneTargetGroupAreTold(t *testing.T) {
	s := sample.Insurance()
	r := sample.InsuranceRoute()
	r.Name = "GET /x"
	sample.Node(r, "edge").Layer = "edge2"
	s.Routes = append(s.Routes, r)
	_, warnings := golden.Emit(t, Target, s)
	if !slices.Contains(warnings, "edge and edge2 both define target group proxy: in one Terraform module, or for one Service, the values of one of them are lost") {
		t.Errorf("warnings = %q", warnings)
	}
}
