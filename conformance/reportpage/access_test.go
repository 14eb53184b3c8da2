package reportpage

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
)

//go:embed contrast.js
var contrast string

func TestThePageIsUsedByKeyboardAlone(t *testing.T) {
	b := chromium
	b.open(t, page(t, stack(t, "insurance-broken"), stack(t, "payments")))
	b.media(t, map[string]string{"prefers-reduced-motion": "reduce"})
	at := func(want string) {
		t.Helper()
		var got struct{ Who, Outline string }
		b.eval(t, `(e => ({Who: e.id || e.getAttribute('aria-label') || e.innerText.split('\n')[0], Outline: getComputedStyle(e).outlineStyle}))(document.activeElement)`, &got)
		if got.Who != want || got.Outline == "none" && want != "route" {
			t.Fatalf("focus is on %q with outline %s, not on %q", got.Who, got.Outline, want)
		}
	}
	b.press(t, "Tab")
	at("Skip to the route")
	b.press(t, "Tab")
	at("filter")
	b.call(t, "Input.insertText", map[string]any{"text": "pay"})
	if got := b.text(t, "#shown"); got != "4 of 5 shown" {
		t.Errorf("the filter says %s", got)
	}
	b.press(t, "ArrowDown")
	at("POST /pay")
	b.press(t, "Enter")
	b.eval(t, `new Promise(done => { const look = () => document.querySelector('h1').textContent.includes('/pay') ? done() : setTimeout(look, 20); look(); })`, nil)
	at("route")
	b.press(t, "Tab")
	at("The layer that goes wrong")
	b.press(t, "ArrowUp") // from the card to the shop
	if got := b.text(t, ".first"); got != "proxy gives up first at 9s" {
		t.Errorf("with a silent shop it says %s", got)
	}
	b.press(t, "Tab")
	at("What it does")
	for b.focus(t) != "Play" {
		b.press(t, "Tab")
	}
	b.press(t, "Enter", "Tab")
	at("Step of the trace")
	b.press(t, "Home")
	var past int
	if b.eval(t, `document.querySelectorAll('.events .past').length`, &past); past != 1 {
		t.Errorf("before the call %d lines are past", past)
	}
	b.press(t, "ArrowRight", "ArrowRight", "Tab")
	at("504 proxy 9s")
	b.press(t, "ArrowLeft")
	at("gives up 20s")
	b.press(t, "Enter")
	if got := b.text(t, ".first"); got != "web gives up first at 20s" {
		t.Errorf("with a silent proxy it says %s", got)
	}
	b.quiet(t)
}

// focus is the words of what has it.
func (b *browser) focus(t *testing.T) (out string) {
	t.Helper()
	b.eval(t, `document.activeElement.innerText || ''`, &out)
	return out
}

func TestAllTextStandsOutFromWhatIsBehindIt(t *testing.T) {
	b := chromium
	b.open(t, page(t, stack(t, "insurance-broken"), stack(t, "insurance")))
	for _, scheme := range []string{"light", "dark"} {
		b.media(t, map[string]string{"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
		b.eval(t, `document.querySelectorAll('details').forEach(d => { d.open = true; })`, nil)
		seen := 0
		for _, fault := range []int{0, 2, 18} { // one that is over at once, one without end, one further in
			b.eval(t, fmt.Sprintf(`document.querySelector('[data-fault="%d"]').click()`, fault), nil)
			var got struct {
				Seen int
				Bad  []string
			}
			b.eval(t, contrast, &got)
			for _, bad := range got.Bad {
				t.Errorf("%s: %s", scheme, bad)
			}
			seen += got.Seen
		}
		if seen < 600 {
			t.Errorf("%s: only %d texts were looked at", scheme, seen)
		}
	}
}

func TestEverythingThatCanBeUsedHasAName(t *testing.T) {
	b := chromium
	b.open(t, page(t, stack(t, "insurance"), stack(t, "payments")))
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	b.call(t, "Accessibility.getFullAXTree", nil, &tree)
	seen := map[string]int{}
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		name, _ := n.Name.Value.(string)
		switch role {
		case "button", "combobox", "searchbox", "slider", "link", "grid", "main", "navigation", "columnheader", "rowheader":
			if !n.Ignored && strings.TrimSpace(name) == "" && role != "main" {
				t.Errorf("a %s has no name", role)
			}
			seen[role]++
		}
	}
	for _, role := range []string{"button", "combobox", "searchbox", "slider", "link", "grid", "main", "navigation"} {
		if seen[role] == 0 {
			t.Errorf("there is no %s", role)
		}
	}
}
