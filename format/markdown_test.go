package format

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	ghtml "github.com/yuin/goldmark/renderer/html"

	"tchain.dev/tchain/compile"
)

// rendered is Markdown as a code host turns it into HTML, with HTML let through
// so that what gets through shows.
func rendered(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList), goldmark.WithRendererOptions(ghtml.WithUnsafe()))
	if err := md.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	cells = regexp.MustCompile(`(?s)<td>(.*?)</td>`)
	codes = regexp.MustCompile(`(?s)<pre><code[^>]*>(.*?)</code></pre>`)
	tags  = regexp.MustCompile(`<[^>]*>`)
)

// plain is what a reader sees of HTML.
func plain(s string) string { return html.UnescapeString(tags.ReplaceAllString(s, "")) }

func TestMarkdownIsATableAndATraceInAFold(t *testing.T) {
	text := printed(t, "markdown", Options{}, compile.Summary{}, insurance(t))
	golden(t, "testdata/finding.md", text)
	page := rendered(t, text)
	var row []string
	for _, m := range cells.FindAllStringSubmatch(page, -1) {
		row = append(row, plain(m[1]))
	}
	want := "error, examples/insurance/stack.cue:15, proxy answers 504 at 90s, before api's own error at 95s error-room"
	if got := strings.Join(row, ", "); got != want {
		t.Errorf("row %s", got)
	}
	fold := strings.TrimSuffix(plain(codes.FindStringSubmatch(page)[1]), "\n")
	if body := printed(t, "text", Options{}, compile.Summary{}, insurance(t)); !strings.Contains(body, "\n"+fold+"\n") {
		t.Errorf("the fold is not what text says:\n%s", fold)
	}
	if strings.Count(page, "<details>") != 2 || strings.Count(page, "</details>") != 2 {
		t.Errorf("not one fold for the finding and one for what was not checked:\n%s", page)
	}
}

func TestMarkdownOfACleanRunIsOneLine(t *testing.T) {
	r := insurance(t)
	r.Findings, r.Unit.Stack.Routes[0].NotChecked = nil, nil
	if got := printed(t, "markdown", Options{}, compile.Summary{}, r); got != "### tchain: 1 stack, 1 route: clean\n" {
		t.Errorf("got %q", got)
	}
}

func TestMarkdownShowsWhateverAStackHoldsAsText(t *testing.T) {
	eachNasty(t, "markdown", func(t *testing.T, r Result, got string) {
		if !strings.HasPrefix(got, "### tchain: ") || len(utf16.Encode([]rune(got))) > markdownLimit {
			t.Errorf("%d characters, %.40q", len(got), got)
		}
		page := rendered(t, got)
		rows := cells.FindAllStringSubmatch(page, -1)
		if want := 3 * (len(r.Findings) + len(r.Unit.Errors) + 2); len(rows) != want {
			t.Fatalf("%d cells, want %d:\n%.2000s", len(rows), want, page)
		}
		zero := strings.NewReplacer("\u200b", "")
		message := strings.ToValidUTF8(clip(clean(r.Findings[0].Message), markdownCell), "\ufffd") + " error-room"
		if cell := zero.Replace(plain(rows[5][1])); !strings.EqualFold(strings.Join(strings.Fields(cell), " "), strings.Join(strings.Fields(message), " ")) {
			t.Errorf("the cell shows %q, want %q", cell, message)
		}
		for _, tag := range tags.FindAllString(page, -1) {
			if !regexp.MustCompile(`^</?(h3|table|thead|tbody|tr|th|td|code( class="language-text")?|pre|details|summary|p)>$`).MatchString(tag) {
				t.Errorf("the stack made the tag %s", tag)
			}
		}
		if open, shut := strings.Count(page, "<details>"), strings.Count(page, "</details>"); open != shut || open > len(r.Findings)+1 {
			t.Errorf("%d folds open, %d close", open, shut)
		}
		outside := codes.ReplaceAllString(page, "")
		for _, m := range regexp.MustCompile(`<code>.*?</code>`).FindAllString(outside, -1) {
			outside = strings.Replace(outside, m, "", 1)
		}
		if m := regexp.MustCompile(`[@#][A-Za-z0-9]`).FindString(html.UnescapeString(outside)); m != "" {
			t.Errorf("%s calls somebody", m)
		}
	})
}

func TestMarkdownIsCutToWhatACommentHolds(t *testing.T) {
	for _, n := range []int{100, 1_000} {
		r := insurance(t)
		for i := range n - 1 {
			f := r.Findings[0]
			f.Message = fmt.Sprintf("%d %s", i, f.Message)
			r.Findings = append(r.Findings, f)
		}
		got := printed(t, "markdown", Options{}, compile.Summary{}, r)
		rows, folds := strings.Count(got, "| error |"), strings.Count(got, "<details>")-1 // one is what was not checked
		if len(got) > markdownLimit || len(got) < markdownLimit-5_000 {
			t.Errorf("%d findings are %d bytes", n, len(got))
		}
		want := fmt.Sprintf("\nCut to what a comment can hold: %d of %d findings and %d of %d traces are left out; `tchain check` prints them.\n", n-rows, n, n-folds, n)
		if !strings.HasSuffix(got, want) {
			t.Errorf("ends in %q, want %q", got[len(got)-len(want):], want)
		}
	}
}
