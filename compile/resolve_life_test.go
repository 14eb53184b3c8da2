package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// lived is a layer under a pod or container as it is written.
func lived(t *testing.T, beside string) (*chain.Route, *chain.Node) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: alb: target_group: api: health_check: {path: "/up", interval: 15}
	api: {app: server: custom: {}, `+beside+`}
}
routes: "GET /": path: ["edge", "api"]
`)
	return s.Routes[0], s.Routes[0].Root.Calls()[0].To
}

func TestHowALayerIsStopped(t *testing.T) {
	for _, row := range []struct{ name, beside, grace, preStop string }{
		{"nothing is said", "", "", ""},
		{"a pod has 30 s by default", `kubernetes: {}`, "30s default", ""},
		{"a pod that waits first", `kubernetes: {terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 15}`, "60s written", "15s written"},
		{"a command that only waits", `kubernetes: lifecycle: preStop: exec: command: ["sleep", "15"]`, "30s default", "15s written"},
		{"the same in a shell", `kubernetes: lifecycle: preStop: exec: command: ["/bin/sh", "-c", "/bin/sleep 15"]`, "30s default", "15s written"},
		{"a command that does something else", `kubernetes: lifecycle: preStop: exec: command: ["sh", "-c", "leave; sleep 15"]`, "30s default", ""},
		{"a container", `container: stopTimeout: "20s"`, "20s written", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			route, n := lived(t, row.beside)
			show := func(v chain.Value) string {
				if !v.Declared() {
					return ""
				}
				return chain.Format(v.D) + " " + string(v.Origin.Source)
			}
			if show(n.Stop.Grace) != row.grace || show(n.Stop.PreStop) != row.preStop {
				t.Errorf("grace %s, preStop %s", show(n.Stop.Grace), show(n.Stop.PreStop))
			}
			unknown := strings.Contains(reasons(route), "preStop of api runs a command: how long it takes is not known")
			if want := strings.Contains(row.beside, "leave"); unknown != want {
				t.Errorf("not checked: %s", reasons(route))
			}
		})
	}
}

func TestWhatIsProbed(t *testing.T) {
	route, n := lived(t, `kubernetes: {livenessProbe: {httpGet: path: "/live", timeoutSeconds: 2}, readinessProbe: {periodSeconds: 5, failureThreshold: 1}}`)
	var got []string
	for _, c := range append(n.Checks, *route.Root.Calls()[0].Check) {
		got = append(got, fmt.Sprint(c.Name, " ", c.Path, " ", c.Fails.N, " × ", chain.Format(c.Every.D), ", ", chain.Format(c.Timeout.D), " each, kills: ", c.Kills,
			", detects in ", chain.Format(c.Detects()), ", notices in ", chain.Format(c.Notices())))
	}
	want := `livenessProbe /live 3 × 10s, 2s each, kills: true, detects in 22s, notices in 30s
readinessProbe  1 × 5s, 1s each, kills: false, detects in 1s, notices in 5s
health_check /up 2 × 15s, 5s each, kills: false, detects in 20s, notices in 30s`
	if strings.Join(got, "\n") != want {
		t.Errorf("checks:\n%s", strings.Join(got, "\n"))
	}
}
