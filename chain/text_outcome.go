package chain

import "fmt"

// Text says what the outermost layer has: "504 from proxy at 90s".
func (o Outcome) Text() string {
	if o.At == Never && o.Error == NotKnown {
		return "not known: " + o.WhyNotKnown()
	}
	return o.text() + o.UnlessText()
}

// UnlessText names what may have ended the wait before, after the outcome in words;
// "" where all that could is known.
func (o Outcome) UnlessText() string {
	if o.Unless == "" {
		return ""
	}
	return ", unless " + o.Unless + ", which is injected at run time, ends it before"
}

// WhyNotKnown is why nobody can say whether the wait ends, of an outcome with the
// error NotKnown.
func (o Outcome) WhyNotKnown() string {
	if o.Unless == "" {
		return "neither the stack nor the vendor says what ends the wait"
	}
	return o.Unless + " is " + WhyInjected
}

func (o Outcome) text() string {
	if o.At == Never {
		return "never ends"
	}
	return o.What() + " at " + Shown(o.At)
}

// What says what the outermost layer has of a wait that ends, without the time: "504
// from proxy".
func (o Outcome) What() string {
	who := ""
	if o.From != nil {
		who = o.From.Layer
	}
	switch {
	case o.Error == "gives up" && o.Status != 0:
		return fmt.Sprintf("%d, %s: %s gives up", o.Status, CutText(o.Status), who)
	case o.Error == "gives up":
		return who + " gives up"
	case o.Status != 0 && o.Cut:
		return fmt.Sprintf("%d from %s, %s", o.Status, who, CutText(o.Status))
	case o.Status != 0:
		return fmt.Sprintf("%d from %s", o.Status, who)
	case o.Error == "its own error":
		return who + "'s own error"
	case o.Error != "" && who != "":
		return o.Error + " by " + who
	case o.Error != "":
		return o.Error
	}
	return "no answer"
}
