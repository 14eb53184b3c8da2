package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/chain"
)

// The style and the script are files of their own; what is held is what the
// report puts between them.
func TestTheHTMLGolden(t *testing.T) {
	page := written(t, sample(), "html", Options{Link: func(file string, _ int) string { return "./" + file }})
	page = strings.Replace(page, pageCSS, "", 1)
	page = regexp.MustCompile(`(?s)<script>.*</script>`).ReplaceAllString(page, "<script></script>")
	page = regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(page, "sha256-…&#39;")
	golden(t, "testdata/shop.html", page)
}

// hostile is the shop with names that mean something to every form.
func hostile() *Report {
	name := "a</script><img src=x onerror=alert(1)>'\"`|&#60;\x1b[31m:;{{.}}]]>"
	s := shop()
	s.Name, s.Routes[0].Name = name, name
	for _, n := range s.Routes[0].Nodes() {
		n.Layer += name
	}
	s.Routes[0].Path = []string{name, name}
	rep := New()
	Find(rep.Add(s), nil, Finding{Rule: "x", Severity: "error", Layer: name, Message: name, File: name, Line: 1, Fixes: []string{name}})
	return rep
}

func TestNoNameIsMarkup(t *testing.T) {
	rep := hostile()
	for _, f := range Formats {
		got := written(t, rep, f.Name, Options{})
		if strings.Contains(got, "%!") {
			t.Errorf("%s writes a number as what it is not", f.Name)
		}
		if strings.Contains(got, "\x1b") {
			t.Errorf("%s lets a control character through", f.Name)
		}
	}
	for _, form := range []string{"html", "svg"} {
		if strings.Contains(written(t, rep, form, Options{}), "<img") {
			t.Errorf("%s has a name as an element", form)
		}
	}
	var shown strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).
		Convert([]byte(written(t, rep, "markdown", Options{})), &shown); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown.String(), "<img") || strings.Contains(shown.String(), "</script>") {
		t.Errorf("markdown shows a name as an element: %s", shown.String())
	}
	page := written(t, rep, "html", Options{})
	if n := strings.Count(page, "</script>"); n != 2 {
		t.Errorf("the page ends %d scripts, and has 2", n)
	}
	dec := xml.NewDecoder(strings.NewReader(written(t, rep, "svg", Options{})))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "img" {
			t.Error("the picture has an element from a name")
		}
	}
}

func TestMermaidTakesNoSignOfAName(t *testing.T) {
	for in, want := range map[string]string{
		"api gateway 2":   "api gateway 2",
		"a:b;c#d\n%% e":   "a#58;b#59;c#35;d�#37;#37; e",
		"end]->>x{y}<br>": "end#93;-#62;#62;x#123;y#125;#60;br#62;",
		"größe → 1.5s":    "größe → 1.5s",
	} {
		if got := mermaid(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestSealedRoutesAreWrittenAsTheReportIs compares with an encoder that is given the
// whole report, which knows nothing of faults that are written once.
func TestSealedRoutesAreWrittenAsTheReportIs(t *testing.T) {
	two := shop()
	again := *two.Routes[0]
	again.Name = "GET /again"
	two.Routes = append(two.Routes, &again)
	alike, sealed := New(), New()
	alike.Add(two)
	sealed.Routes = ToSeal(two)
	Seal(sealed.Routes)
	if &alike.Routes[0].Faults[0] != &alike.Routes[1].Faults[0] {
		t.Fatal("the routes share no faults")
	}
	for _, rep := range []*Report{alike, sample(), hostile()} {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(rep); err != nil {
			t.Fatal(err)
		}
		if got := written(t, rep, "json", Options{}); got != want.String() {
			t.Errorf("report is\n%s\nwant\n%s", got, want.String())
		}
	}
	if got, want := written(t, sealed, "json", Options{}), written(t, alike, "json", Options{}); got != want {
		t.Errorf("sealed it is\n%s\nwant\n%s", got, want)
	}
}

func TestYAMLIsTheSameObjectAsJSON(t *testing.T) {
	for _, rep := range []*Report{New(), sample(), hostile()} {
		var want, got any
		if err := json.Unmarshal([]byte(written(t, rep, "json", Options{})), &want); err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := yaml.Unmarshal([]byte(written(t, rep, "yaml", Options{})), &object); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("yaml has %v, json %v", got, want)
		}
	}
}

func TestAPictureIsOfOneRoute(t *testing.T) {
	two := shop()
	two.Routes = append(two.Routes, two.Routes[0])
	many := New()
	many.Add(two)
	for _, rep := range []*Report{New(), many} {
		if err := rep.Write(io.Discard, "svg", Options{}); !errors.Is(err, ErrOneRoute) {
			t.Errorf("%d routes: %v", len(rep.Routes), err)
		}
	}
}

func TestThePageKeepsAWayOnce(t *testing.T) {
	s := shop()
	for range 199 {
		r := *s.Routes[0]
		r.Name += "'"
		s.Routes = append(s.Routes, &r)
	}
	other := shop().Routes[0]
	other.Root.Calls()[0].To.Calls()[0].Layers[0].Limits[1].Bound = 40 * second
	s.Routes = append(s.Routes, other)
	rep := New()
	rep.Add(s)
	data := rep.pageData(func(string, int) string { return "" })
	if len(data.Routes) != 201 || len(data.Ways) != 2 {
		t.Errorf("%d routes on %d ways", len(data.Routes), len(data.Ways))
	}
}

func TestARouteWithoutCallsIsShown(t *testing.T) {
	rep := New()
	rep.Add(&chain.Stack{Name: "s", Routes: []*chain.Route{{Name: "GET /", Path: []string{"web"}, Root: &chain.Node{Layer: "web", Role: chain.RoleCaller}}}})
	for _, f := range Formats {
		if written(t, rep, f.Name, Options{}) == "" {
			t.Errorf("%s is empty", f.Name)
		}
	}
}

func TestAFindingStandsAtItsLayer(t *testing.T) {
	rep := New()
	rep.Add(shop())
	r := &rep.Routes[0]
	for layer, want := range map[string]int{"web": 0, "proxy": 1, "api": 2, "bank": 2, "": -1, "elsewhere": -1} {
		if got := r.placeOf(Finding{Layer: layer}); got != want {
			t.Errorf("a finding of %q stands at %d, want %d", layer, got, want)
		}
	}
}
