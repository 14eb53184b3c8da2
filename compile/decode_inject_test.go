package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAnInjectedValueIsCheckedAsIfItWereWritten(t *testing.T) {
	for _, tt := range []struct{ stack, given, want string }{
		{`layers: api: instances: int @env(N)`, "0", `2:25: instances, set by N, is 0; it must be at least 1`},
		{`layers: api: instances: int @env(N)`, "1.5", `2:25: instances, set by N, takes a whole number, not "1.5"`},
		{`layers: api: instances: int @env(N)`, "007", `2:25: instances, set by N, takes a whole number, not "007"`},
		{`layers: api: instances: int & <10 @env(N)`, "11", `2:25: instances, set by N, is 11, which is not int & <10, as the stack demands`},
		{`routes: "GET /": tps: number @env(N)`, "-7", `2:23: tps, set by N, is -7; it must be more than 0`},
		{`routes: "GET /": tps: number @env(N)`, "Inf", `2:23: tps, set by N, takes a number, not "Inf"`},
		{`routes: "GET /": tps: number @env(N)`, "NaN", `2:23: tps, set by N, takes a number, not "NaN"`},
		{`layers: edge: alb: idle_timeout: int @env(N)`, "-5", `2:34: idle_timeout, set by N, is -5; it cannot be negative`},
		{`layers: edge: alb: idle_timeout: int @env(N)`, "99999999999999999999", `2:34: idle_timeout, set by N: 99999999999999999999 is longer than any timer`},
		{`layers: proxy: nginx: server: proxy_read_timeout: string @env(N)`, "-5s", `2:51: proxy_read_timeout, set by N: "-5s" is negative; an NGINX time looks like "90s"`},
		{`layers: proxy: nginx: server: proxy_read_timeout: "2s" | "3s" @env(N)`, "5s", `2:51: proxy_read_timeout, set by N, is "5s", which is not "2s" | "3s", as the stack demands`},
		{`layers: proxy: nginx: server: proxy_buffering: string @env(N)`, "onn", `2:48: proxy_buffering, set by N, takes "on" or "off", not "onn"; did you mean "on"?`},
		{`layers: proxy: nginx: version: string @env(N)`, "latest", `2:32: version, set by N: "latest" has not the form ^[0-9]+(\.[0-9A-Za-z-]+)*$`},
		{`layers: proxy: nginx: server: proxy_next_upstream: string @env(N)`, "error timeot", `2:52: proxy_next_upstream, set by N, does not know "timeot"; did you mean timeout?`},
		{`layers: auth: endpoint: families: [...string] @env(N)`, "ipv4,ipv5", `2:35: families, set by N, has "ipv5" in its list; it takes "ipv4" or "ipv6"`},
		{`layers: proxy: nginx: upstream: api: server: [...string] @env(N)`, "a:80 b:x", `2:46: server, set by N, "b:x" has the port "x"; it is a number from 1 to 65535`},
		{`layers: api: app: clients: b: {to: "auth", requests: timeout: null | int @env(N)}`, "-3", `2:63: timeout, set by N, is -3; it cannot be negative`},
		{`layers: api: app: clients: b: {to: "auth", urllib3: Retry: status_forcelist: [...int] @env(N)}`, "503,x", `2:78: status_forcelist, set by N, is "503,x", which is not [...int], as the stack demands`},

		{`layers: api: instances: int @env(N)`, "3", ""},
		{`routes: "GET /": tps: number @env(N)`, "2.5", ""},
		{`layers: edge: alb: idle_timeout: int @env(N)`, "61", ""},
		{`layers: proxy: nginx: server: proxy_read_timeout: *"2s" | string @env(N)`, "5", ""},
		{`layers: proxy: nginx: server: proxy_read_timeout: "2s" @env(N)`, "5s", ""},
		{`layers: auth: endpoint: families: [...string] @env(N)`, "ipv4 ipv6", ""},
		{`layers: auth: endpoint: announcesKeepAlive: bool @env(N)`, "false", ""},
		{`layers: api: app: clients: b: {to: "auth", urllib3: Retry: status_forcelist: [...int] @env(N)}`, "503 429", ""},
	} {
		t.Run(tt.stack+" is "+tt.given, func(t *testing.T) {
			_, errs := decodeText(t, aroundHead+tt.stack+aroundTail, map[string]string{"N": tt.given})
			if got := strings.TrimSuffix(shownErrors(errs), "\n"); got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAnInjectedNumberIsANumber(t *testing.T) {
	d := decodeClean(t, `layers: api: instances: int @env(N)
routes: "GET /": tps: number @env(T)`, map[string]string{"N": "3", "T": "2.5"})
	if v := valueAt(t, d, "api.instances"); v.Raw != int64(3) {
		t.Errorf("instances is %#v", v.Raw)
	}
	if v := valueAt(t, d, `routes."GET /".tps`); v.Raw != 2.5 {
		t.Errorf("tps is %#v", v.Raw)
	}
}

func TestEachStackSaysWhatCanBeInjected(t *testing.T) {
	inDir(t, "-- a.cue --\n"+aroundHead+`layers: api: instances: int @env(N)
layers: proxy: nginx: server: proxy_read_timeout: string @from("terraform: x")
layers: edge: alb: idle_timeout: *60 | int @env(N)`+aroundTail)
	var got []string
	EachEnv([]string{"."}, Options{Set: map[string]string{"N": "3"}}, func(_ *Unit, names []string) { got = append(got, names...) })
	slices.Sort(got)
	if fmt.Sprint(got) != "[N N terraform: x]" {
		t.Errorf("names %v", got)
	}
}
