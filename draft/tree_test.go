package draft

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAFieldIsAChainOrHasBraces(t *testing.T) {
	root := &field{name: "layers"}
	for _, v := range []struct{ path, value, why string }{
		{`edge.alb.idle_timeout`, `10`, "over proxy's own error at 8s"},
		{`in.ingressNginx.annotations."proxy-read-timeout"`, `"7"`, ""},
		{`in.ingressNginx.annotations."proxy-connect-timeout"`, `"1"`, ""},
	} {
		f := root.at(labels(v.path)...)
		f.value, f.why = v.value, v.why
	}
	root.at("service", "external").why = "nothing yet"
	var b strings.Builder
	root.write(&b, "")
	want := `layers: {
	edge: alb: idle_timeout: 10 // over proxy's own error at 8s
	"in": ingressNginx: annotations: {
		"proxy-read-timeout": "7"
		"proxy-connect-timeout": "1"
	}
	service: external: {} // nothing yet
}
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestAPathIsTakenApartAtItsDots(t *testing.T) {
	for path, want := range map[string][]string{
		`edge.alb.idle_timeout`:               {"edge", "alb", "idle_timeout"},
		`"my-edge".fpm."pm.max_children"`:     {`"my-edge"`, "fpm", `"pm.max_children"`},
		`proxy.nginx.location."/v1/".timeout`: {"proxy", "nginx", "location", `"/v1/"`, "timeout"},
	} {
		if d := cmp.Diff(want, labels(path)); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestLongNumbersAreGrouped(t *testing.T) {
	for text, want := range map[string]string{"7": "7", "7000": "7000", "22000": "22_000", "1234567": "1_234_567", `"22000"`: `"22000"`, "-1": "-1"} {
		if got := grouped(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTheRoomBehindAnInnerEndIsOverASecond(t *testing.T) {
	for _, inner := range []time.Duration{0, time.Millisecond, 999 * time.Millisecond, time.Second, 5500 * time.Millisecond, time.Hour} {
		if room := over(inner) - inner; room <= time.Second || room > 2*time.Second || over(inner)%time.Second != 0 {
			t.Errorf("%s leaves %s", inner, room)
		}
	}
}
