package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tchain.dev/tchain/compile"
)

// explainSetting explains one setting by its id, or all of a block by the block's; a
// type that is both a server and a client can have two settings of one id. What
// begins like a property of Spring Boot's is one.
func explainSetting(w io.Writer, c catalogue, id string) error {
	if strings.HasPrefix(id, "spring.") {
		return explainProperty(w, id)
	}
	if said, err := explainOwn(w, id); said || err != nil {
		return err
	}
	if said, err := explainFacts(w, id); said || err != nil {
		return err
	}
	key, _, _ := strings.Cut(id, ".")
	settings, err := c.sayable(key)
	if err != nil {
		return err
	}
	if len(settings) == 0 {
		if err := settingsCalled(c, id); err != nil {
			return err
		}
		if err := nearFact(id); err != nil {
			return err
		}
		return unknown("type", key, c.typeKeys())
	}
	var ids []string
	found := false
	for _, s := range settings {
		names := namesOf(s)
		if !slices.ContainsFunc(names, func(name string) bool { return name == id || strings.HasPrefix(name, id+".") }) {
			ids = append(ids, names...)
			continue
		}
		if found {
			fmt.Fprintln(w)
		}
		found = true
		if _, err := io.WriteString(w, settingText(s)); err != nil {
			return err
		}
	}
	if !found {
		return unknown("setting", id, ids)
	}
	return nil
}

// namesOf are the ways to name a setting: its id, and its type with the blocks that it
// stands in, of which a key, as a route's, may be left out.
func namesOf(s compile.SettingDoc) []string {
	out := []string{s.ID}
	for _, path := range s.Paths {
		var words []string
		for _, word := range strings.Split(path, ".") {
			if !strings.HasPrefix(word, "<") {
				words = append(words, word)
			}
		}
		for _, name := range []string{path, strings.Join(words, ".")} {
			if name = s.Type + "." + name; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// settingsCalled is the error that names the settings which a word without its type
// may mean; nil if there are none.
func settingsCalled(c catalogue, word string) error {
	var ids []string
	for _, typ := range c.typeKeys() {
		settings, err := c.sayable(typ)
		if err != nil {
			return err
		}
		for _, s := range settings {
			if strings.Contains(s.ID+".", "."+word+".") {
				ids = append(ids, s.ID)
			}
		}
	}
	const most = 4
	switch {
	case len(ids) == 0:
		return nil
	case len(ids) > most:
		return usagef("%q is no type and no rule; settings of that name are %s and %d more", word, strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return usagef("%q is no type and no rule; settings of that name are %s", word, strings.Join(ids, ", "))
}

func settingText(s compile.SettingDoc) string {
	var b strings.Builder
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", what, text)
		}
	}
	if s.Category == "facts" {
		fmt.Fprintf(&b, "%s: what a stack says of %s\n\n", s.ID, factsOf[s.Type])
	} else {
		fmt.Fprintf(&b, "%s: a setting of %s (%s)\n\n", s.ID, s.Title, s.Category)
	}
	if s.Doc != "" {
		b.WriteString(fill(s.Doc, 80) + "\n\n")
	}
	if where, places, ok := strings.Cut(placesOf(s), " "); ok {
		line(where, places)
	}
	line("takes", s.Takes)
	line("range", s.Range)
	for _, bound := range s.Bounds {
		line("bounds", bound)
	}
	what := "default"
	if s.Fixed {
		what = "fixed"
	}
	for _, d := range s.Defaults {
		line(what, d)
	}
	line("zero", s.Zero)
	line("scope", s.Scope)
	if _, name, _ := strings.Cut(s.ID, "."); len(s.Aliases) > 0 {
		line("refused", strings.Join(s.Aliases, ", ")+": write "+name)
	}
	line("known", s.Proof)
	line("source", s.Source)
	return b.String()
}
