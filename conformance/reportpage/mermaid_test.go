package reportpage

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/report"
)

var fence = regexp.MustCompile("(?s)```mermaid\n(.*?)```")

// diagrams are those of the report for a pull request.
func diagrams(t *testing.T, stacks ...*chain.Stack) (out []string) {
	t.Helper()
	rep := report.New()
	for _, s := range stacks {
		rep.Add(s)
	}
	var text strings.Builder
	if err := rep.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(text.String(), -1) {
		out = append(out, m[1])
	}
	return out
}

// A drawing is what Mermaid makes of a diagram: which one it takes it for, what can be
// read in it, and what may not be there.
type drawing struct {
	Kind, Text, Title, Failed string
	Bars, Wide                int
	Images                    int
	Ran                       bool
}

// draw has the real Mermaid, as GitHub and GitLab have it, draw diagrams.
func draw(t *testing.T, texts []string) (out []drawing) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(cache, "tchain", "reportpage", "node_modules", "mermaid", "dist", "mermaid.min.js")
	if _, err := os.Stat(script); err != nil {
		t.Fatal("Mermaid is missing: run make test")
	}
	file := filepath.Join(t.TempDir(), "diagrams.html")
	if err := os.WriteFile(file, []byte(`<!doctype html><meta charset="utf-8"><script src="file://`+script+`"></script><body>`), 0o666); err != nil {
		t.Fatal(err)
	}
	chromium.open(t, file)
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	chromium.eval(t, `(async texts => {
		mermaid.initialize({startOnLoad: false, securityLevel: 'strict'});
		const out = [];
		for (const [i, text] of texts.entries()) {
			const box = document.body.appendChild(document.createElement('div'));
			try {
				box.innerHTML = (await mermaid.render('d' + i, text)).svg;
			} catch (err) {
				out.push({Failed: String(err)});
				continue;
			}
			const svg = box.querySelector('svg');
			svg.querySelectorAll('style').forEach(style => style.remove());
			out.push({
				Kind: svg.getAttribute('aria-roledescription'), Text: svg.textContent, Title: svg.querySelector('title')?.textContent || '',
				Failed: svg.querySelector('.error-icon') ? svg.textContent : '', Bars: svg.querySelectorAll('rect.task').length,
				Wide: Math.round(svg.getBoundingClientRect().width), Images: svg.querySelectorAll('img, image').length, Ran: 'ran' in window,
			});
		}
		return out;
	})(`+string(in)+`)`, &out)
	return out
}

func TestMermaidDrawsTheReportOfAPullRequest(t *testing.T) {
	texts := diagrams(t, stack(t, "insurance"), stack(t, "insurance-broken"), stack(t, "payments"))
	if len(texts) < 6 {
		t.Fatalf("%d diagrams, and there are two for each route", len(texts))
	}
	for i, d := range draw(t, texts) {
		if d.Failed != "" {
			t.Errorf("%s in\n%s", d.Failed, texts[i])
			continue
		}
		switch {
		case i%2 == 0 && (d.Kind != "gantt" || d.Bars < 3 || !strings.Contains(d.Text, "gives up first") || !strings.Contains(d.Text, "waits for") || d.Title == "" || d.Wide == 0):
			t.Errorf("the bars are %+v", d)
		case i%2 == 1 && (d.Kind != "sequence" || !strings.Contains(d.Text, "gives up on")):
			t.Errorf("the trace is %+v", d)
		}
	}
}

// A name is shown as it is, ends nothing, and runs nothing.
func TestMermaidShowsANameAsItIs(t *testing.T) {
	var names, texts []string
	for _, name := range []string{
		`</script><img src=x onerror="window.ran=1">`, "a:b;c%%d", "end", "#quot;", "section x :crit, 0, 1", "A->>B: hello", "%%{init: {}}%%", "`'\"", "{{x}}", "größe 大",
	} {
		s := stack(t, "insurance-broken")
		s.Routes[0].Name = name
		for _, n := range s.Routes[0].Nodes() {
			n.Layer += name
		}
		for _, text := range diagrams(t, s) {
			names, texts = append(names, name), append(texts, text)
		}
	}
	for i, d := range draw(t, texts) {
		switch {
		case d.Failed != "":
			t.Errorf("%q: %s in\n%s", names[i], d.Failed, texts[i])
		case d.Ran || d.Images > 0:
			t.Errorf("%q: ran %t, %d images", names[i], d.Ran, d.Images)
		case !strings.Contains(d.Text, "proxy"+names[i]):
			t.Errorf("%q is not to be read in %s", names[i], d.Text)
		}
	}
}
