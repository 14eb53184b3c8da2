package main

import (
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/compile"
)

// factsOf are the types of facts in words.
var factsOf = map[string]string{
	"layer": "a layer, beside its type", "route": "a route", "policy": "how it is judged, under policy", "ignore": "a finding that it accepts, under policy: ignore",
	"call": "a call of an app, under calls", "stack": "itself",
}

// writtenBelow are the blocks that the facts of a type are written in, where a name may
// begin with them.
var writtenBelow = map[string][]string{"ignore": {"policy.ignore."}, "call": {"route.calls.", "app.calls.", "calls."}}

// otherWords are names that other tools have for a fact.
var otherWords = map[string]string{"suppress": "ignore", "policy.suppress": "ignore"}

// explainFacts explains what a stack says of a layer or a route besides products, or of
// its policy: one fact, or all of a block or of a type, by the id or by a part of it, as the
// name without its type; said is false if there is none.
func explainFacts(w io.Writer, name string) (said bool, err error) {
	if fact, ok := otherWords[name]; ok {
		name = fact
	}
	for _, of := range compile.FactTypes {
		facts, err := compile.Facts(of)
		if err != nil {
			return false, err
		}
		name := name
		for _, block := range writtenBelow[of] {
			if rest, ok := strings.CutPrefix(name, block); ok {
				name = rest
			}
		}
		for _, f := range facts {
			if !strings.Contains("."+f.ID+".", "."+name+".") {
				continue
			}
			if said {
				fmt.Fprintln(w)
			}
			said = true
			if _, err := io.WriteString(w, settingText(f)); err != nil {
				return true, err
			}
		}
	}
	return said, nil
}

// nearFact is the error for a name that is nearly one of a fact's; nil if it is none.
func nearFact(name string) error {
	var names []string
	for _, of := range compile.FactTypes {
		facts, err := compile.Facts(of)
		if err != nil {
			return err
		}
		for _, f := range facts {
			names = append(names, f.ID, strings.TrimPrefix(f.ID, of+"."))
		}
	}
	if near := compile.Closest(name, names); near != "" {
		return usagef("unknown setting %q; did you mean %s?", name, near)
	}
	return nil
}
