package main

import (
	"fmt"
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
	repeated := ""
	for _, layer := range c.Layers {
		for _, l := range layer.Limits {
			per := ""
			if l.Kind == chain.TotalDeadline {
				per = repeated
			}
			fmt.Fprintf(&b, "  %8s  %-20s %s%s\n", chain.Format(l.Bound), l.Kind, originText(l), per)
		}
		if layer.Retry != nil {
			b.WriteString(retryText("attempts", *layer.Retry))
			repeated = "; for each attempt"
		}
	}
	for _, l := range c.Idle {
		fmt.Fprintf(&b, "  %8s  %-20s %s\n", chain.Format(l.Bound), l.Kind, originText(l))
	}
	if c.Resend != nil {
		b.WriteString(retryText("sent, at most", *c.Resend))
	}
	if p := c.Pool; p != nil && p.InForce().N > 0 {
		fmt.Fprintf(&b, "  %8d  %-20s %s\n", p.InForce().N, "connections", p.InForce().Origin.Setting)
	}
	return b.String()
}

// retryText is how often a request is sent, and after which failures.
func retryText(what string, r chain.Retry) string {
	methods := ""
	switch {
	case len(r.OnMethods) > 0:
		methods = "; once it was written, only " + strings.Join(r.OnMethods, " ")
		if len(r.AnyMethod) > 0 {
			methods += ", and any after " + conds(r.AnyMethod)
		}
	case r.OnMethods != nil:
		methods = "; never once it was written"
	}
	return fmt.Sprintf("  %8d  %-20s again after %s%s; %s\n", r.Attempts.N, what, conds(r.On), methods, r.Origin.Setting)
}

func conds(all []chain.Cond) string {
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

func originText(l chain.Limit) string {
	o := l.Origin
	text := o.Setting + ", " + string(o.Source)
	if o.Source == "" {
		text = o.Setting + ", " + l.Why
	}
	if o.Pos.Line > 0 && o.Source == chain.Written {
		text += fmt.Sprintf(" at %s:%d", o.Pos.File, o.Pos.Line)
	}
	if l.Kernel {
		text = "the kernel's"
	}
	if o.Note != "" {
		text += "; " + o.Note
	}
	if l.Fires == chain.FiresEvent && l.Bound != chain.Never {
		text += "; " + chain.EventOnly
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
	return chain.Format(s.Value)
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
