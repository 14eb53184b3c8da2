package main

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// hopText is every value in force on one call, with where it came from.
func hopText(n *chain.Node, c *chain.Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s → %s", n.Layer, c.To.Layer)
	if c.Product != "" {
		fmt.Fprintf(&b, " by %s", c.Product)
	}
	b.WriteString("\n")
	for _, d := range c.Derivations {
		b.WriteString(derivationText(d))
	}
	if len(c.Derivations) > 0 {
		b.WriteString("\n  in force on a fresh connection:\n")
	}
	b.WriteString(deadlineText(n))
	repeated := ""
	for _, layer := range c.Layers {
		for _, l := range layer.Limits {
			if l.Kind == chain.TotalDeadline {
				b.WriteString(limitText(l, repeated))
			} else if l.Kind != chain.TLSHandshake || c.TLS {
				b.WriteString(limitText(l, addressesText(c, l)))
			}
		}
		if chain.MaxAttempts(layer.Retry, c) > 1 {
			b.WriteString(retryText("attempts", c, layer.Retry))
			b.WriteString(shareText(n, c, layer.Retry))
			repeated = "; for each attempt"
		}
	}
	b.WriteString(nextText(c))
	for _, l := range slices.Concat(c.Idle, c.Upkeep) {
		b.WriteString(limitText(l, ""))
	}
	if c.Resend != nil {
		b.WriteString(retryText("sent, at most", c, c.Resend))
	}
	if p := c.Pool; p != nil {
		b.WriteString(sizeText("connections", p.InForce()))
		if p.Total != p.InForce() {
			b.WriteString(sizeText("connections in all", p.Total))
		}
		b.WriteString(sizeText("idle connections", p.Idle))
	}
	b.WriteString(serveText(c.To))
	return b.String()
}

// deadlineText is what the app's own deadline leaves for a call that it makes at
// once, and whether that ends anything.
func deadlineText(n *chain.Node) string {
	d := n.Deadline
	share := d.Share(0)
	if !share.Declared() {
		return ""
	}
	l := chain.Limit{Kind: chain.TotalDeadline, Bound: share.D, Origin: share.Origin}
	more := "; for the whole call"
	if total := d.InForce(); total.Origin == share.Origin && d.Reserve.D > 0 && total.Declared() && total.D != share.D {
		more += fmt.Sprintf(", %s less the reserve of %s", chain.Shown(total.D), chain.Shown(d.Reserve.D))
	}
	if !d.Enforced {
		more += "; not enforced: no blocked read is ended"
	}
	if d.Header != "" {
		more += "; sent on in " + d.Header
	}
	return limitText(l, more)
}

// shareText is the part of the time in which an attempt must be connected, and how
// much of it must be left for a further one to begin.
func shareText(n *chain.Node, c *chain.Call, r *chain.Retry) string {
	text := ""
	if share := r.ConnectShare; share.N > 0 {
		if l, ok := chain.FirstConnectShare(n, c); ok {
			text += limitText(l, fmt.Sprintf("; %d %% of what is left, so much for the first attempt", share.N))
		} else {
			text += limitText(chain.Limit{Kind: chain.ConnectShare, Bound: chain.Never, Origin: share.Origin}, "; nothing bounds the time that it is a share of")
		}
	}
	for _, x := range []struct {
		v    chain.Value
		kind chain.Kind
		says string
	}{
		{r.Window, chain.RetryWindow, "; no attempt begins after it, and none is interrupted"},
		{r.Least, chain.RetryLeast, "; no further attempt begins with less left"},
	} {
		if x.v.Declared() && x.v.D != chain.Never && x.v.D > 0 {
			text += limitText(chain.Limit{Kind: x.kind, Bound: x.v.D, Origin: x.v.Origin}, x.says)
		}
	}
	return text
}

// serveText are the limits of the answering side that somebody wrote or that end
// something.
func serveText(to *chain.Node) string {
	text := ""
	for _, l := range to.Serve {
		if l.Bound != chain.Never || l.Origin.Said() {
			text += limitText(l, "")
		}
	}
	if text == "" {
		return ""
	}
	return "\n  of " + to.Layer + " itself, which answers:\n" + text
}

func limitText(l chain.Limit, more string) string {
	bound := chain.Shown(l.Bound)
	if l.Unknown() {
		bound, more = "unknown", more+"; "+chain.WhyInjected
	}
	return fmt.Sprintf("  %8s  %-20s %s%s\n", bound, l.Kind, originText(l), more)
}

func sizeText(what string, s chain.Size) string {
	if s.N <= 0 {
		return ""
	}
	return fmt.Sprintf("  %8d  %-20s %s\n", s.N, what, fromText(s.Origin))
}

// addressesText says that a limit starts anew at each address.
func addressesText(c *chain.Call, l chain.Limit) string {
	if l.Per != chain.PerAddress || c.OneByOne || c.Addresses < 2 || l.Bound == chain.Never {
		return ""
	}
	return fmt.Sprintf("; for each of %d addresses, %s in all", c.Addresses, chain.Shown(chain.Times(c.Addresses, l.Bound)))
}

// nextText is when the next of several addresses is dialled.
func nextText(c *chain.Call) string {
	if !c.DialsNext() || !c.Next.Declared() {
		return ""
	}
	says := fmt.Sprintf("when the one before does not answer, of %d", c.Addresses)
	if c.Next.D == chain.Never {
		says = "the first one alone is dialled"
	}
	return fmt.Sprintf("  %8s  %-20s %s; %s\n", chain.Shown(c.Next.D), "next address", fromText(c.Next.Origin), says)
}

// retryText is how often a request is sent, and after which failures.
func retryText(what string, c *chain.Call, r *chain.Retry) string {
	text := fmt.Sprintf("  %8d  %-20s %s: after %s", chain.MaxAttempts(r, c), what, fromText(r.Origin), chain.CondText(r.On))
	if wait := r.Interval; wait.D > 0 && slices.ContainsFunc(r.On, r.Waits) {
		text += ", the first wait " + chain.Shown(wait.D)
		if drawn := r.Drawn(); drawn != "" {
			text += " (" + drawn + ")"
		}
	}
	switch {
	case len(r.OnMethods) > 0:
		when := "once it was written, "
		if r.AsksFirst {
			when = ""
		}
		text += "; " + when + "only " + strings.Join(r.OnMethods, " ")
		if len(r.AnyMethod) > 0 {
			text += ", and any after " + chain.CondText(r.AnyMethod)
		}
	case r.OnMethods != nil:
		text += "; never once it was written"
	}
	if r.Exhausted != "" {
		text += "; once they are used up, " + r.Exhausted
		if r.ExhaustedAnswer {
			text += " in place of the last answer"
		} else {
			text += " in place of the last failure"
		}
	}
	return text + "\n"
}

// fromText is a setting and how its value came about: "api.app.…, written at stack.cue:7".
func fromText(o chain.Origin) string {
	text := o.Setting
	if o.Source != "" {
		text += ", " + string(o.Source)
	}
	if o.Pos.Line > 0 && o.Source == chain.Written {
		text += fmt.Sprintf(" at %s:%d", o.Pos.File, o.Pos.Line)
	}
	return text
}

func originText(l chain.Limit) string {
	o := l.Origin
	text := fromText(o)
	if o.Source == "" {
		text = o.Setting + ", " + l.Why
	}
	if l.Kernel {
		text = "the kernel's"
	}
	if o.Note != "" {
		text += "; " + o.Note
	}
	if only := l.TellsOnly(); only != "" {
		text += "; " + only
	}
	return text
}

// derivationText is one timer: the value, the entrance that won, and what lost.
func derivationText(d chain.Derivation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n  %s: %s\n", d.Timer, valuesText(d))
	fmt.Fprintf(&b, "    from %s%s\n", d.Winner.Setting, at(d.Winner))
	for _, e := range d.Else {
		fmt.Fprintf(&b, "    or %s from %s%s, %s\n", settledText(e.Settled), e.Winner.Setting, at(e.Winner), e.When)
	}
	if d.Why != "" {
		fmt.Fprintf(&b, "    because %s\n", d.Why)
	}
	for _, x := range d.Dropped {
		fmt.Fprintf(&b, "    not %s %s%s: %s\n", x.Origin.Setting, x.Origin.Text, at(x.Origin), x.Why)
	}
	return b.String()
}

// valuesText is all that a timer can be: "5s, or 300ms after GET /balance".
func valuesText(d chain.Derivation) string {
	text := settledText(d.Settled)
	if d.Off {
		text = "never"
	}
	for i, e := range d.Else {
		if rest := len(d.Else) - i; i == 2 && rest > 1 {
			return text + fmt.Sprintf(", or one of %d others", rest)
		}
		text += ", or " + settledText(e.Settled) + " " + e.When
	}
	return text
}

func settledText(s chain.Settled) string {
	switch {
	case s.Unknown:
		return "not known (" + chain.WhyInjected + ")"
	case s.Value == chain.Never:
		return "no limit"
	}
	return chain.Shown(s.Value)
}

func at(o chain.Origin) string {
	switch o.Source {
	case chain.Default:
		return ", the default"
	case chain.Written:
		if o.Pos.Line > 0 {
			return fmt.Sprintf(" (line %d)", o.Pos.Line)
		}
	}
	return ""
}
