package reportpage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit/report"
)

// stack is an example of the project, read anew.
func stack(t *testing.T, name string) *chain.Stack {
	t.Helper()
	var out *chain.Stack
	compile.Each([]string{"../../examples/" + name}, compile.Options{}, func(u *compile.Unit) { out = u.Stack })
	if out == nil {
		t.Fatalf("%s cannot be read", name)
	}
	return out
}

var found = []report.Finding{
	{Rule: "error-room", Severity: "error", Layer: "proxy", Message: "proxy answers 504 first", File: "stack.cue", Line: 15, Fixes: []string{"line 15", "line 25"}},
	{Rule: "capacity", Severity: "warning", Layer: "api", Message: "api is too small", File: "stack.cue", Line: 24},
	{Rule: "elsewhere", Severity: "error", Layer: "", Message: "is about no layer"},
}

// page writes the page of some stacks to a file.
func page(t *testing.T, stacks ...*chain.Stack) string {
	t.Helper()
	rep := report.New()
	for _, s := range stacks {
		routes := rep.Add(s)
		for _, f := range found {
			report.Find(routes, nil, f)
		}
	}
	file := filepath.Join(t.TempDir(), "report.html")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := rep.WriteHTML(out, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return file
}

// quiet says what the page should not have done: asked the network for something,
// failed, or complained.
func (b *browser) quiet(t *testing.T) {
	t.Helper()
	requests := 0
	for _, e := range b.events {
		switch e.Method {
		case "Network.requestWillBeSent":
			requests++
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			t.Errorf("%s: %s", e.Method, e.Params)
		}
	}
	if requests != 1 {
		t.Errorf("%d requests, and the page itself is one", requests)
	}
}

func TestAFaultIsChosenAndItsTraceAppears(t *testing.T) {
	b := chromium
	b.open(t, page(t, stack(t, "insurance-broken")))
	if got := b.text(t, ".first") + "; " + b.text(t, ".then"); got != "proxy gives up first at 90s; the person sees 504 from proxy at 90s" {
		t.Errorf("at first it says %s", got)
	}
	b.eval(t, `{ const [layer] = document.querySelectorAll('select'); layer.value = 1; layer.dispatchEvent(new Event('change')); }`, nil)
	if got := b.text(t, ".first"); got != "edge gives up first at 145s" {
		t.Errorf("with a silent proxy it says %s", got)
	}
	// The way of its cursor takes a while; then everything of the trace is past.
	b.eval(t, `new Promise(done => { const look = () => document.querySelector('.events li:last-child').className === 'past' && document.querySelector('.cursor').hidden ? done() : setTimeout(look, 20); look(); })`, nil)
	if got := b.text(t, ".events"); !strings.Contains(got, "gives up on proxy (idle_timeout 145s), answers 504") {
		t.Errorf("the trace is %s", got)
	}
	var unreached int
	if b.eval(t, `document.querySelectorAll('.row.unreached').length`, &unreached); unreached != 2 {
		t.Errorf("%d rows are not reached", unreached)
	}
	b.quiet(t)
}

// The work of a page is counted, not timed: one route is in the document, however
// many there are, and choosing another one adds nothing.
func TestTwoHundredRoutesCostTheirListAlone(t *testing.T) {
	many := stack(t, "insurance")
	one := many.Routes[0]
	for i := range 199 {
		r := *one
		r.Name = fmt.Sprintf("GET /v%d", i)
		many.Routes = append(many.Routes, &r)
	}
	b := chromium
	count := func(of string) (n int) {
		b.eval(t, fmt.Sprintf(`document.querySelectorAll(%q).length`, of), &n)
		return n
	}
	b.open(t, page(t, stack(t, "insurance")))
	single := count("main *")
	file := page(t, many)
	b.open(t, file)
	if got := count("main *"); got != single {
		t.Errorf("the route has %d elements, and %d alone", got, single)
	}
	if got := count("#routes *"); got > 200*7 {
		t.Errorf("the list has %d elements", got)
	}
	b.eval(t, `location.hash = '#r150'`, nil)
	b.eval(t, `new Promise(done => { const look = () => document.querySelector('h1').textContent.includes('/v149') ? done() : setTimeout(look, 20); look(); })`, nil)
	if got := count("main *"); got != single {
		t.Errorf("after another choice it has %d elements, and %d alone", got, single)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 300_000 {
		t.Errorf("the page has %d bytes", info.Size())
	}
	b.quiet(t)
}

func TestThePageFitsAPhoneAndPaper(t *testing.T) {
	b := chromium
	b.open(t, page(t, stack(t, "insurance-broken"), stack(t, "payments")))
	b.size(t, 390, 800)
	var wide int
	if b.eval(t, `document.documentElement.scrollWidth`, &wide); wide > 390 {
		t.Errorf("a phone of 390 has to scroll through %d", wide)
	}
	const more = `[...document.querySelectorAll(".more")].filter(e => !e.hidden).length`
	var hints int
	if b.eval(t, more, &hints); hints != 1 {
		t.Errorf("%d tables say that they go on to the right, want that of the faults", hints)
	}
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{"media": "print"})
	b.eval(t, `dispatchEvent(new Event('beforeprint'))`, nil)
	var got struct{ Hidden, Open bool }
	b.eval(t, `({Hidden: !document.querySelector('nav').checkVisibility() && !document.querySelector('.controls').checkVisibility(), Open: [...document.querySelectorAll('details')].every(d => d.open)})`, &got)
	if !got.Hidden || !got.Open {
		t.Errorf("on paper: controls hidden %t, calls open %t", got.Hidden, got.Open)
	}
	b.eval(t, `dispatchEvent(new Event('afterprint'))`, nil)
	if b.eval(t, `({Open: document.querySelectorAll('details[open]').length > 0})`, &got); got.Open {
		t.Error("after printing calls stay open")
	}
}

func TestANameIsShownAsItIsAndRunsNothing(t *testing.T) {
	const name = `</script><img src=x onerror="window.ran=1">'{{.}}<script>window.ran=1</script>`
	s := stack(t, "insurance-broken")
	s.Routes[0].Name = name
	for _, n := range s.Routes[0].Nodes() {
		n.Layer += name
	}
	b := chromium
	b.open(t, page(t, s))
	var got struct {
		Ran    bool
		Images int
		Title  string
	}
	b.eval(t, `({Ran: 'ran' in window, Images: document.images.length, Title: document.querySelector('h1').textContent})`, &got)
	if got.Ran || got.Images > 0 || !strings.HasPrefix(got.Title, name) {
		t.Errorf("%+v", got)
	}
	b.quiet(t)
}
