package chain

import (
	"strings"
	"time"
)

// A Line is what happened at one moment, for people: several events of a trace
// that belong together.
type Line struct {
	At   time.Duration
	Who  string // "proxy", or a way: "proxy → api → auth"
	What string
}

// Way reports whether Who is a way of layers and not one layer.
func (l Line) Way() bool { return strings.Contains(l.Who, arrow) }

const arrow = " → "

// Lines are the events of t merged into as few lines as can be read: a request
// on its way in is one line, and so is an answer on its way out. Of many repeats the
// first few and the last one are told.
func (t *Trace) Lines() []Line {
	var m merger
	skip := t.quietCallers()
	out, resumes := t.abridged()
	for i := range t.Events {
		if out[i] {
			continue
		}
		m.resumes = resumes[i]
		m.add(&t.Events[i], skip)
		if cut := ", " + CutText(t.Outcome.Status); t.Events[i].Kind == EvSees && t.Outcome.Cut && !strings.HasSuffix(m.last().What, cut) {
			m.extend(cut)
		}
	}
	return m.lines
}

// quietCallers are the outer layers that only send on, once, and pass on. The way in
// starts behind them, since they explain nothing. The one that makes the last
// call stays, so that a way is never empty.
func (t *Trace) quietCallers() map[*Node]bool {
	acts, calls := map[*Node]bool{}, map[*Node]bool{}
	var last *Node
	for _, e := range t.Events {
		switch e.Kind {
		case EvSent:
			acts[e.Node] = acts[e.Node] || calls[e.Node]
			calls[e.Node], last = true, e.Node
		case EvPasses, EvSees:
		default:
			acts[e.Node] = true
		}
	}
	quiet := map[*Node]bool{}
	for _, e := range t.Events {
		if e.Kind != EvSent {
			continue
		}
		if acts[e.Node] || e.Node == last {
			break
		}
		quiet[e.Node] = true
	}
	return quiet
}

// A merger builds lines from events in order.
type merger struct {
	lines []Line
	tail  *Node     // the layer whose words the last line ends with
	kind  EventKind // of the event added last
	// resumes says that events were left out before the one that is added.
	resumes bool
}

func (m *merger) add(e *Event, skip map[*Node]bool) {
	if e.Kind == EvSent {
		m.sent(e, skip)
		return
	}
	text := e.Text()
	if m.resumes {
		text = "and so on, until it " + text
	}
	if m.goesOut(e) {
		if e.Kind == EvPasses {
			text = "passes it on"
		}
		m.extend("; " + name(e.Node) + " " + text)
	} else if m.same(e) {
		sep := ", "
		if e.Kind == EvUndelivered {
			sep = "; "
		}
		m.extend(sep + text)
	} else {
		m.lines = append(m.lines, Line{e.At, name(e.Node), text})
	}
	m.tail, m.kind = e.Node, e.Kind
}

// sent makes one way of calls that follow each other at once.
func (m *merger) sent(e *Event, skip map[*Node]bool) {
	if skip[e.Node] {
		return
	}
	way := name(e.Node) + arrow + name(e.Peer)
	if m.kind == EvSent && m.tail == e.Node && m.last().At == e.At {
		m.last().Who += arrow + name(e.Peer)
	} else {
		m.lines = append(m.lines, Line{e.At, way, "connected, request sent"})
	}
	m.tail, m.kind = e.Peer, EvSent
}

// goesOut reports whether e continues the way of an answer to the person.
func (m *merger) goesOut(e *Event) bool {
	if len(m.lines) == 0 || m.last().At != e.At || e.Node == m.tail {
		return false
	}
	return answering(m.kind) && (e.Kind == EvPasses || e.Kind == EvSees || e.Kind == EvCuts || e.Kind == EvCloses)
}

func answering(k EventKind) bool {
	return k == EvAnswers || k == EvPasses || k == EvCuts || k == EvCloses
}

// same reports whether the layer of the last line does something more at once.
func (m *merger) same(e *Event) bool {
	return len(m.lines) > 0 && m.kind != EvSent && m.tail == e.Node && m.last().At == e.At
}

func (m *merger) last() *Line { return &m.lines[len(m.lines)-1] }

func (m *merger) extend(text string) { m.last().What += text }

func name(n *Node) string {
	if n == nil {
		return "?"
	}
	return n.Layer
}
