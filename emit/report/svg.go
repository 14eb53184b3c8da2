package report

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/safetext"
)

//go:embed svg.css
var svgStyle string

// Measures of the picture in its own units, which are pixels at full size.
const (
	svgWidth  = 920
	svgLeft   = 190 // where the axis begins
	svgTrack  = 480 // its length
	svgRight  = svgLeft + svgTrack + 16
	svgTop    = 156 // where the first row begins
	svgRow    = 46
	svgBar    = 16
	svgMargin = 20
	svgBig    = 66 // the most characters of a line of the heading
)

// WriteSVG draws one route under one fault; nil draws it without any.
func (r *Route) WriteSVG(w io.Writer, f *Fault) error {
	rows, axis := r.rows(f), r.scale(f)
	p := &svg{axis: axis}
	bottom, labels := svgTop, make([][2]label, len(rows))
	for i, x := range rows {
		labels[i] = r.labels(x, f)
		bottom += rowHeight(labels[i])
	}
	height := bottom + 76
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`, svgWidth, height, svgWidth, height)
	p.add(`<title id="t">%s</title>`, esc(r.title()))
	p.add(`<desc id="d">%s</desc>`, esc(r.description(f)))
	p.add("<style>\n%s</style>", svgStyle)
	p.add(`<defs><pattern id="fault" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="6" class="fault"/></pattern>` +
		`<pattern id="late" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="3" height="6" class="late"/></pattern></defs>`)
	p.add(`<rect width="%d" height="%d" class="paper"/>`, svgWidth, height)
	p.heading(r, f)
	p.grid(bottom)
	y := svgTop
	for i, x := range rows {
		p.label(y, labels[i][0])
		p.label(y, labels[i][1])
		if x.hop < 0 {
			p.faulted(y, f)
		} else {
			p.hop(y, r.wait(x.hop, f), x, f)
		}
		y += rowHeight(labels[i])
	}
	p.legend(bottom+38, f != nil && f.GivesUp != nil)
	p.add(`</svg>`)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// An svg is a picture that is being drawn.
type svg struct {
	b    strings.Builder
	axis scale
}

func (p *svg) add(format string, args ...any) {
	fmt.Fprintf(&p.b, format+"\n", args...)
}

// labels are the words to the left and to the right of a row.
func (r *Route) labels(x row, f *Fault) [2]label {
	left := func(name, lesserClass, lesser string) label {
		return labelled(svgMargin, svgLeft-svgMargin-10, "layer", name, lesserClass, lesser)
	}
	right := func(class, name, lesser string) label {
		return labelled(svgRight, svgWidth-svgRight-svgMargin, class, name, "small", lesser)
	}
	if x.hop < 0 {
		return [2]label{left(f.To, "small broken", "goes wrong"), right("broken", f.does(), "")}
	}
	h, w := &r.Hops[x.hop], r.wait(x.hop, f)
	return [2]label{left(h.From, "small", x.waits(h)), right(w.class(), w.limitText(), join(" · ", leftText(w.Left), w.place()))}
}

// rowHeight is the height of a row with its labels.
func rowHeight(l [2]label) int { return max(svgRow, max(l[0].height, l[1].height)+svgRow-31) }

// text writes words that may take so many units. What is longer is cut and keeps its
// whole words as a title.
func (p *svg) text(x, y int, class, words string, units int) {
	short := cut(words, fitting(class, units))
	title := ""
	if short != words {
		title = "<title>" + esc(words) + "</title>"
	}
	p.add(`<text x="%d" y="%d" class="%s">%s%s</text>`, x, y, class, title, esc(short))
}

func (p *svg) heading(r *Route, f *Fault) {
	p.text(svgMargin, 34, "name", r.title(), svgWidth-2*svgMargin)
	if f == nil {
		return
	}
	first, then := r.verdict(f)
	for i, words := range []string{first, then} {
		class := "big"
		if utf8.RuneCountInString(words) > svgBig {
			class = "layer" // rather small than cut
		}
		p.text(svgMargin, 66+28*i, class, words, svgWidth-2*svgMargin)
	}
	p.text(svgMargin, 118, "muted", "when "+f.Text, svgWidth-2*svgMargin)
}

func (p *svg) x(d Duration) float64 { return svgLeft + svgTrack*p.axis.share(d) }

func (p *svg) grid(bottom int) {
	for _, t := range p.axis.ticks {
		x := p.x(t)
		p.add(`<path d="M%.1f %dV%d" class="grid"/>`, x, svgTop-6, bottom-8)
		p.add(`<text x="%.1f" y="%d" class="small muted" text-anchor="middle">%s</text>`, x, svgTop-12, t)
	}
}

func (p *svg) hop(y int, w *Wait, x row, f *Fault) {
	if !x.reached {
		p.add(`<g class="unreached">`)
	}
	for _, s := range w.segments() {
		p.bar(y+4, s.from, s.to, s.part.class())
	}
	if chainTime(w.Limit) != chain.Never {
		p.add(`<path d="M%.1f %dv%d" class="limit"/>`, p.x(w.Limit), y, svgBar+8)
	}
	if x.span != nil {
		p.trace(y+svgBar+10, x.span, f)
	}
	if !x.reached {
		p.add(`</g>`)
	}
}

// bar draws a stretch of time; one without an end fades out at the end of the axis.
func (p *svg) bar(y int, from, to Duration, class string) {
	a, b := p.x(from), p.x(to)
	p.add(`<rect x="%.1f" y="%d" width="%.1f" height="%d" class="%s"/>`, a, y, b-a, svgBar, class)
	if to > p.axis.max {
		p.add(`<path d="M%.1f %dl8 %d l-8 %dz" class="%s"/>`, b, y, svgBar/2, svgBar/2, class)
	}
}

// trace draws how long the call was really waited on, and how that ended.
func (p *svg) trace(y int, s *span, f *Fault) {
	a, b := p.x(s.from), p.x(s.to)
	p.add(`<path d="M%.1f %dH%.1f" class="wait"/>`, a, y, max(b, a))
	switch {
	case s.end == endNever:
		p.add(`<path d="M%.1f %dl6 5 -6 5z" class="dot"/>`, b, y-5)
	case s.end == endGaveUp:
		p.add(`<circle cx="%.1f" cy="%d" r="6" class="gaveup"/><path d="M%.1f %.1fl5 5m0 -5l-5 5" class="cross"/>`, b, y, b-2.5, float64(y)-2.5)
	default:
		p.add(`<circle cx="%.1f" cy="%d" r="4" class="dot"/>`, b, y)
	}
	if g := f.first(); g != nil && g.hop == s.hop && s.end == endGaveUp {
		anchor, dx, dy := "start", 11, 4
		if b > svgLeft+svgTrack*3/4 {
			anchor, dx, dy = "end", 6, 17 // below its own line
		}
		p.add(`<text x="%.1f" y="%d" class="small gives" text-anchor="%s">gives up first, at %s</text>`, b+float64(dx), y+dy, anchor, g.At)
	}
}

func (p *svg) faulted(y int, f *Fault) {
	from, to := f.lasts()
	if to > from {
		p.bar(y+4, from, to, "faulted")
	} else {
		p.add(`<path d="M%.1f %dl7 8 -7 8 -7 -8z" class="fault"/>`, p.x(from), y+4)
	}
}

func (p *svg) legend(y int, gaveUp bool) {
	x := svgMargin
	for _, k := range []struct{ class, words string }{
		{partWork.class(), partWork.words()}, {partRoom.class(), partRoom.words()},
		{partLeft.class(), partLeft.words()}, {partLate.class(), partLate.words()},
	} {
		p.add(`<rect x="%d" y="%d" width="14" height="10" class="%s"/>`, x, y-9, k.class)
		p.add(`<text x="%d" y="%d" class="small muted">%s</text>`, x+20, y, k.words)
		x += 20 + 7*utf8.RuneCountInString(k.words) + 18
	}
	p.add(`<path d="M%d %dh18" class="wait"/><text x="%d" y="%d" class="small muted">waited under this fault</text>`, x, y-4, x+25, y)
	if gaveUp {
		y += 20
		p.add(`<circle cx="%d" cy="%d" r="6" class="gaveup"/><path d="M%.1f %.1fl5 5m0 -5l-5 5" class="cross"/><text x="%d" y="%d" class="small muted">gives up</text>`,
			svgMargin+7, y-4, svgMargin+4.5, float64(y)-6.5, svgMargin+20, y)
	}
}

// class is the name under which a stylesheet colours the part.
func (p part) class() string { return [...]string{"work", "room", "left", "late"}[p] }

// words say what the part is, for a legend.
func (p part) words() string {
	return [...]string{"the callee may take this", "room for its error", "left under the limit", "too late: nobody waits"}[p]
}

// class is how a wait's limit is written: what has none stands out.
func (w *Wait) class() string {
	if chainTime(w.Limit) == chain.Never {
		return "none"
	}
	return "value"
}

// description is the picture in words, for whoever cannot see it.
func (r *Route) description(f *Fault) string {
	var out []string
	if f != nil {
		out = append(out, "When "+f.Text+": "+r.Verdict(f)+".")
	}
	for i := range r.Hops {
		h := &r.Hops[i]
		wait := r.wait(i, f)
		text := h.From + " waits for " + h.To + ": " + wait.limitText()
		if left := leftText(wait.Left); left != "" {
			text += ", " + left
		}
		out = append(out, text+".")
	}
	return strings.Join(out, " ")
}

// esc is text within XML, in an element or in quotes.
func esc(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(safetext.Clean(s))) // a builder takes everything
	return b.String()
}

// cut is text of at most so many characters.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:max(most-1, 0)]) + "…"
}

// join is the texts that are there, with a sign between them.
func join(sign string, texts ...string) string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, sign)
}
