package report

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
)

const second = time.Second

func at(line int) chain.Range {
	return chain.Range{File: "examples/shop/stack.cue", Line: line, Column: 3}
}

func said(layer, name string, line int) chain.Origin {
	return chain.Origin{Source: chain.Written, Layer: layer, Setting: layer + ".x." + name, Name: name, Pos: at(line)}
}

func limit(kind chain.Kind, bound time.Duration, o chain.Origin) chain.Limit {
	p, _ := chain.PresetOf(kind)
	return chain.Limit{Kind: kind, Side: p.Side, Start: p.Start, End: p.End, Reset: p.Reset, Bound: bound, Fires: "504", Origin: o}
}

// shop is browser, proxy and app before a service: three hops of every sort.
func shop() *chain.Stack {
	skips := []chain.Moment{chain.AtResolved, chain.AtRequestSent}
	bank := &chain.Node{Layer: "bank", Role: chain.RoleLeaf, Product: "external"}
	app := &chain.Node{Layer: "api", Type: "app", Role: chain.RoleBuffering, Instances: chain.Size{N: 2, Origin: said("api", "instances", 9)}}
	app.Deadline = chain.Deadline{Reserve: chain.Value{D: second, Origin: said("api", "reserve", 12)}}
	app.Serve = []chain.Limit{limit(chain.IdleKeepalive, 60*second, chain.Origin{Source: chain.Default, Name: "keepAliveTimeout", Setting: "api.x.keepAliveTimeout", Product: "tomcat 11", Proved: true})}
	app.Steps = []chain.Step{{Calls: []*chain.Call{{
		To: bank, Client: "bank", Product: "a client", TLS: true, Addresses: 1, Skips: skips,
		Layers: []chain.ClientLayer{{Limits: []chain.Limit{
			limit(chain.Connect, 2*second, said("api", "connectTimeout", 14)),
			limit(chain.TLSHandshake, 2*second, said("api", "handshakeTimeout", 14)),
			limit(chain.ResponseHeader, 20*second, said("api", "responseTimeout", 15)),
			limit(chain.ResponseReadGap, 20*second, said("api", "responseTimeout", 15)),
			limit(chain.PoolWait, 1*second, said("api", "connectionRequestTimeout", 15)),
		}}},
		Pool: &chain.Pool{PerHost: chain.Size{N: 50, Origin: said("api", "maxConnPerRoute", 16)}},
	}}}}
	proxy := &chain.Node{Layer: "proxy", Type: "nginx", Role: chain.RolePassing, Cancel: chain.CancelPropagates}
	proxy.Answers = []chain.Answer{{Cond: chain.CondTimeout, Status: 504}, {Cond: chain.CondConnectTimeout, Status: 504}}
	proxy.Steps = []chain.Step{{Calls: []*chain.Call{{
		To: app, Product: "nginx 1.28.0", Addresses: 1, Skips: skips,
		Layers: []chain.ClientLayer{{Limits: []chain.Limit{
			limit(chain.Connect, 60*second, chain.Origin{Source: chain.Default, Name: "proxy_connect_timeout", Setting: "proxy.nginx.proxy_connect_timeout", Product: "nginx 1.28.0", Proved: true}),
			limit(chain.ResponseHeader, 30*second, said("proxy", "proxy_read_timeout", 6)),
			limit(chain.ResponseReadGap, 30*second, said("proxy", "proxy_read_timeout", 6)),
		}}},
	}}}}
	web := &chain.Node{Layer: "web", Type: "browser", Role: chain.RoleCaller}
	web.Steps = []chain.Step{{Calls: []*chain.Call{{To: proxy, Product: "a browser", Addresses: 1}}}}
	r := &chain.Route{Name: "POST /pay", Method: "POST", Path: []string{"web", "proxy", "api", "bank"}, Root: web, TPS: 3500}
	return &chain.Stack{Name: "shop", Routes: []*chain.Route{r}}
}

func TestATimerThatOnlyTellsTheProgramIsNoValue(t *testing.T) {
	s := shop()
	limits := s.Routes[0].Root.Calls()[0].To.Calls()[0].Layers[0].Limits
	limits[1].Fires = chain.FiresEvent
	rep := New()
	rep.Add(s)
	var js, text strings.Builder
	if err := rep.WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	if err := rep.WriteText(&text, 0); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(js.String(), `"event only: bounds nothing"`) || !strings.Contains(text.String(), "event only  response-header ") {
		t.Errorf("%s", text.String())
	}
}

// sample is the shop with something found in it.
func sample() *Report {
	rep := New()
	Find(rep.Add(shop()), nil, Finding{
		Rule: "error-room", Severity: "error", Layer: "proxy", Setting: "proxy.x.proxy_read_timeout",
		Message: "proxy has only 4s left", File: "examples/shop/stack.cue", Line: 6, Fixes: []string{`line 6 "30s" → "40s"`},
	})
	return rep
}

func TestReportGoldens(t *testing.T) {
	for _, tt := range []struct {
		file, format string
		width        int
	}{
		{"shop.json", "json", 0}, {"shop.yaml", "yaml", 0}, {"shop.md", "markdown", 0}, {"shop.svg", "svg", 0},
		{"shop-120.txt", "text", 0}, {"shop-80.txt", "text", 80},
	} {
		golden(t, "testdata/"+tt.file, written(t, sample(), tt.format, Options{Width: tt.width}))
	}
}

func written(t *testing.T, r *Report, format string, o Options) string {
	t.Helper()
	var out strings.Builder
	if err := r.Write(&out, format, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What is found is a sentence, and as long as it is.
func TestNoLineOfATextIsLongerThanItsWidth(t *testing.T) {
	rep := New()
	rep.Add(shop())
	r := &rep.Routes[0]
	for _, width := range []int{40, 60, 80, 100, 120, 200} {
		text := strings.Join(r.picture(r.Main(), width), "\n") // tables are as narrow as names allow
		if width >= 80 {
			text = written(t, rep, "text", Options{Width: width})
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("TCHAIN_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%s (TCHAIN_UPDATE=1 rewrites it): %v; got:\n%s", file, err, got)
	}
}

func TestSlackIsTheLimitLessTheInnerWorstEnd(t *testing.T) {
	rep := New()
	rep.Add(shop())
	h := rep.Routes[0].Hops[1] // api ends by 26s = 1s pool wait + 2s connect + 2s TLS + 20s read + 1s reserve
	if h.Worst.String() != "26s" || len(h.Sum) != 5 {
		t.Fatalf("worst %s of %v", h.Worst, h.Sum)
	}
	for _, l := range h.Limits {
		switch {
		case l.name == "proxy_read_timeout" && l.Kind == string(chain.ResponseHeader):
			if l.Slack == nil || l.Slack.String() != "4s" {
				t.Errorf("slack of %s is %v", l.name, l.Slack)
			}
		case l.Slack != nil:
			t.Errorf("%s has the slack %s", l.name, l.Slack)
		}
	}
}

// The bar of a wait and the table of its limits say the same of what is left, in every
// format: what the callee's error needs is no part of it.
func TestWhatIsLeftIsSaidOnce(t *testing.T) {
	rep := New()
	s := shop()
	s.Policy.ErrorRoom = 3 * time.Second
	rep.Add(s)
	n := 0
	for _, h := range rep.Routes[0].Hops {
		for _, l := range h.Limits {
			if l.left == nil || l.Value != h.Wait.Limit {
				continue
			}
			n++
			if *l.left != *h.Wait.Left {
				t.Errorf("%s to %s: %s in the table, %s at the bar", h.From, h.To, leftText(l.left), leftText(h.Wait.Left))
			}
		}
	}
	if n == 0 {
		t.Error("nothing is left anywhere")
	}
}

func TestPoolNeedIsRateTimesHoldPerInstance(t *testing.T) {
	rep := New()
	rep.Add(shop())
	p := rep.Routes[0].Hops[2].Pool
	if p == nil || p.Size != 50 || p.Need == nil || *p.Need != 35 { // 3.5/s ÷ 2 × 20s
		t.Errorf("pool %+v", p)
	}
	if rep.Routes[0].Hops[0].Pool != nil {
		t.Error("a hop without a pool has one")
	}
}

func TestAPoolShowsWhatAllItsRoutesNeed(t *testing.T) {
	// 3.5/s ÷ 2 × 20s = 35 for each of two routes; the third calls another pool, the
	// fourth is another entrance of the first, which has the same requests.
	build := func() *chain.Stack {
		s := shop()
		for _, name := range []string{"GET /balance", "GET /elsewhere", "POST /pay"} {
			r := shop().Routes[0]
			r.Name = name
			s.Routes = append(s.Routes, r)
		}
		s.Routes[2].Nodes()[2].Calls()[0].Client = "other"
		s.Routes[3].Entrance = "app"
		return s
	}
	bankOf := func(r *chain.Route) *chain.Call { return r.Nodes()[2].Calls()[0] }
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack)
		want   string
	}{
		{"all of them", func(s *chain.Stack) {}, "pool of 50 (maxConnPerRoute), needs 70 over 2 routes, 35 for this one"},
		{"another one without a rate", func(s *chain.Stack) { s.Routes[1].TPS = 0 }, "pool of 50 (maxConnPerRoute), needs 35"},
		{"this one without a rate", func(s *chain.Stack) { s.Routes[0].TPS, s.Routes[3].TPS = 0, 0 }, "pool of 50 (maxConnPerRoute), needs 35 for all routes"},
		{"nobody with a rate", func(s *chain.Stack) {
			for _, r := range s.Routes {
				r.TPS = 0
			}
		}, "pool of 50 (maxConnPerRoute)"},
		{"another one that never ends", func(s *chain.Stack) {
			c := bankOf(s.Routes[1])
			c.Layers[0].Limits = c.Layers[0].Limits[:2]
		}, "pool of 50 (maxConnPerRoute), needs 35 for this route; nothing ends the read on another one"},
		{"by what the callee declares", func(s *chain.Stack) {
			s.Policy.PoolAgainst = "avg"
			for _, r := range s.Routes {
				bankOf(r).To.Work.Avg = chain.Value{D: 4 * second, Origin: said("bank", "avg", 20)}
			}
		}, "pool of 50 (maxConnPerRoute), needs 14 over 2 routes, 7 for this one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := build()
			tc.change(s)
			rep := New()
			rep.Add(s)
			if got := rep.Routes[0].Hops[2].Pool.Text(); got != tc.want {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestEveryFieldOfTheReportIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			if name := f.Tag.Get("json"); name != "" && !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("docs/json.md does not describe %s of %s", name, typ.Name())
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[Report]())
}

func TestTheHeadlineOwnsUpToAFaultThatNeverEnds(t *testing.T) {
	s := shop()
	app := s.Routes[0].Root.Calls()[0].To.Calls()[0].To
	own := &app.Steps[0].Calls[0].Layers[0]
	own.Limits = slices.DeleteFunc(own.Limits, func(l chain.Limit) bool { return l.Kind == chain.PoolWait })
	s.Routes[0].Root, s.Routes[0].Path = app, []string{"api", "bank"}
	total := limit(chain.AttemptDeadline, 2*second, said("api", "signal.timeout", 14))
	total.Start = chain.AtLease
	own.Limits = append(own.Limits, total)
	const want = "at most, but for ever if no connection from api to bank comes free"
	r := routeOf(s, nil, s.Routes[0], faultsOf(s, s.Routes[0]))
	if got := r.summary(); !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
