package report

import (
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
)

// The characters of a bar. All of them are in every font of a terminal.
var partRunes = [...]rune{partWork: '█', partRoom: '▒', partLeft: '░', partLate: '╱'}

const (
	endless = '▶' // goes on behind the axis
	gaveUp  = '✕' // whose patience ends first
	unsure  = '?' // ends when nobody knows
)

// fewestCells is the shortest axis that still tells bars apart.
const fewestCells = 16

// picture is the calls as bars under one fault, with what it says above.
func (r *Route) picture(f *Fault, width int) []string {
	out := wrapWords(r.Verdict(f), width)
	out = append(out, wrapWords("(when "+f.Text+")", width)...)
	out = append(out, "")
	axis := r.scale(f)
	labels, notes := &table{}, make([]string, len(r.Hops))
	for i := range r.Hops {
		labels.add(r.Hops[i].From + " → " + r.Hops[i].To)
		notes[i] = r.wait(i, f).limitText()
	}
	names := labels.widths()[0]
	room := 0
	for _, n := range notes {
		room = max(room, utf8.RuneCountInString(n))
	}
	cells := width - len("  ") - names - 2*len(columnGap) - room
	if cells < fewestCells { // the tables below name the settings
		room, cells = 0, max(width-len("  ")-names-len(columnGap), fewestCells)
	}
	for i := range r.Hops {
		line := "  " + pad(r.Hops[i].From+" → "+r.Hops[i].To, names) + columnGap + pad(string(r.bar(i, f, axis, cells)), cells)
		if room > 0 {
			line += columnGap + notes[i]
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	var words []string
	for p, c := range partRunes {
		words = append(words, string(c)+" "+part(p).words())
	}
	if f.first() != nil {
		words = append(words, string(gaveUp)+" gives up first")
	}
	if r.openEnded(f, false) {
		words = append(words, string(endless)+" never ends")
	}
	if r.openEnded(f, true) {
		words = append(words, string(unsure)+" when it ends is not known")
	}
	out = append(out, "")
	for _, line := range wrapItems(words, "   ", width-2) {
		out = append(out, "  "+line)
	}
	return out
}

// bar is the wait of a hop in cells of one axis. Whatever is there has at least
// one cell.
func (r *Route) bar(hop int, f *Fault, axis scale, cells int) []rune {
	at := func(d Duration) int { return int(axis.share(d)*float64(cells-1) + .5) }
	var out []rune
	for _, s := range r.wait(hop, f).segments() {
		for n := max(at(s.to), len(out)+1); len(out) < min(n, cells-1); {
			out = append(out, partRunes[s.part])
		}
		if s.to > axis.max && r.wait(hop, f).unknown {
			out = append(out, unsure)
		} else if s.to > axis.max {
			out = append(out, endless)
		}
	}
	if g := f.first(); g != nil && g.hop == hop {
		i := min(max(at(g.At)-1, 0), cells-1)
		for len(out) <= i {
			out = append(out, ' ')
		}
		out[i] = gaveUp
	}
	return out
}

// openEnded reports whether a bar has no end, or none that is known.
func (r *Route) openEnded(f *Fault, unknown bool) bool {
	for i := range r.Hops {
		if w := r.wait(i, f); chainTime(w.Limit) == chain.Never && w.unknown == unknown {
			return true
		}
	}
	return false
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}

// wrapWords breaks text between words, where a line would be longer than width.
func wrapWords(text string, width int) []string {
	return wrapItems(strings.Split(text, " "), " ", width)
}

// wrapItems sets items with a gap between them in lines of at most width; one that
// is longer has a line of its own.
func wrapItems(items []string, gap string, width int) []string {
	var out []string
	for _, item := range items {
		if n := len(out); n > 0 && utf8.RuneCountInString(out[n-1]+gap+item) <= width {
			out[n-1] += gap + item
		} else {
			out = append(out, item)
		}
	}
	return out
}
