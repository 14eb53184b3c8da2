package report

import (
	"encoding/json"
	"path"
	"strconv"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/safetext"
)

// A pager gathers what a page holds once.
type pager struct {
	data  pageData
	link  func(file string, line int) string
	texts map[string]text
	axes  map[Duration]int
	ways  map[string]int
}

func (r *Report) pageData(link func(string, int) string) pageData {
	p := pager{link: link, texts: map[string]text{}, axes: map[Duration]int{}, ways: map[string]int{}}
	p.data = pageData{Texts: []string{}, Axes: []pageAxis{}, Ways: []pageWay{}, Routes: []pageRoute{}}
	for _, k := range chain.FaultKinds {
		p.data.Kinds = append(p.data.Kinds, p.text(string(k)))
	}
	for i := range r.Routes {
		p.route(&r.Routes[i])
	}
	return p.data
}

func (p *pager) text(s string) text {
	s = safetext.Clean(s)
	i, ok := p.texts[s]
	if !ok {
		i = text(len(p.data.Texts))
		p.texts[s] = i
		p.data.Texts = append(p.data.Texts, s)
	}
	return i
}

// address is where a place in a file is found, "" for none.
func (p *pager) address(file string, line int) text {
	if file == "" {
		return p.text("")
	}
	return p.text(p.link(file, line))
}

func (p *pager) route(r *Route) {
	out := pageRoute{Title: safetext.Clean(r.title()), About: p.text(r.summary()), Findings: []pageFinding{}}
	for _, f := range r.Findings {
		x := pageFinding{
			Hop: r.placeOf(f), Severity: f.Severity, Rule: f.Rule, Message: p.text(f.Message), Fixes: []text{},
			Place: p.text(place(f.File, f.Line)), Href: p.address(f.File, f.Line),
		}
		for _, fix := range f.Fixes {
			x.Fixes = append(x.Fixes, p.text(fix))
		}
		out.Findings = append(out.Findings, x)
	}
	way := p.way(r)
	key, _ := json.Marshal(way) // numbers and texts: there is nothing to go wrong
	i, ok := p.ways[string(key)]
	if !ok {
		i = len(p.data.Ways)
		p.ways[string(key)] = i
		p.data.Ways = append(p.data.Ways, way)
	}
	out.Way = i
	p.data.Routes = append(p.data.Routes, out)
}

func place(file string, line int) string {
	if file == "" {
		return ""
	}
	return path.Base(file) + ":" + strconv.Itoa(line)
}

func (p *pager) way(r *Route) pageWay {
	out := pageWay{Main: r.main, Hops: []pageHop{}, Faults: []pageFault{}}
	for i := range r.Hops {
		out.Hops = append(out.Hops, p.hop(&r.Hops[i]))
	}
	for i := range r.Faults {
		out.Faults = append(out.Faults, p.fault(r, &r.Faults[i]))
	}
	return out
}

func (p *pager) bar(w *Wait) pageBar {
	out := pageBar{
		Limit: onAxis(w.Limit), Value: p.text(w.limitText()), Left: p.text(leftText(w.Left)),
		Source: p.text(w.place()), Href: p.address(w.File, w.Line), Segments: []pageSegment{},
	}
	for _, s := range w.segments() {
		out.Segments = append(out.Segments, pageSegment{millis(s.part), onAxis(s.from), onAxis(s.to)})
	}
	return out
}

func (p *pager) hop(h *Hop) pageHop {
	out := pageHop{From: p.text(h.From), To: p.text(h.To), pageBar: p.bar(&h.Wait), Ends: p.text(h.worstText()), Timers: []pageTimer{}}
	if h.Pool != nil {
		out.Pool = &pagePool{Size: h.Pool.Size, Need: h.Pool.most(), Text: p.text(h.Pool.Text())}
	}
	for _, l := range h.Limits {
		name := l.Name()
		if l.Side == string(chain.Answering) {
			name += " (" + h.To + ")"
		}
		out.Timers = append(out.Timers, pageTimer{
			p.text(l.ValueText()), p.text(l.Kind), p.text(name), p.text(l.originText(narrow - 1)), p.address(l.File, l.Line), p.text(l.Proof), p.text(leftText(l.left)),
		})
	}
	for _, reason := range h.NotChecked {
		out.Unknown = append(out.Unknown, p.text(reason))
	}
	return out
}

func (p *pager) fault(r *Route, f *Fault) pageFault {
	first, then := r.verdict(f)
	from, to := f.lasts()
	out := pageFault{
		Kind: p.text(f.Fault), Hop: f.hop, Does: p.text(f.does()), First: p.text(first), Then: p.text(then), Cell: p.text(f.cell()), Tone: f.tone(),
		Axis: p.axis(r.scale(f)), Lasts: [2]millis{onAxis(from), onAxis(to)}, Spans: [][4]millis{}, Lines: []pageLine{},
	}
	if g := f.first(); g != nil {
		out.Gives = &[2]millis{millis(g.hop), onAxis(g.At)}
		if w := f.firing(g.hop); w != nil && r.wait(g.hop, f) == w {
			bar := p.bar(w)
			out.Bar = &bar
		}
	}
	for _, s := range f.spans {
		out.Spans = append(out.Spans, [4]millis{millis(s.hop), onAxis(s.from), onAxis(s.to), millis(s.end)})
	}
	for _, l := range f.lines {
		out.Lines = append(out.Lines, pageLine{onAxis(Duration(l.At)), p.text(Duration(l.At).String()), p.text(l.Who), p.text(l.What)})
	}
	return out
}

func (p *pager) axis(s scale) int {
	i, ok := p.axes[s.max]
	if !ok {
		i = len(p.data.Axes)
		p.axes[s.max] = i
		axis := pageAxis{Max: onAxis(s.max), Ticks: []pageTick{}}
		for _, t := range s.ticks {
			axis.Ticks = append(axis.Ticks, pageTick{onAxis(t), t.String()})
		}
		p.data.Axes = append(p.data.Axes, axis)
	}
	return i
}
