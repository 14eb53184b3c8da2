package main

import (
	"fmt"
	"strings"
)

// readEnv reads lines of NAME=VALUE into values. Empty lines and those that
// begin with # say nothing; "export " may stand before a name; quotes around a
// value are taken off. Nothing is expanded.
func readEnv(text string, values map[string]string) error {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
			return fmt.Errorf("%d: line is not NAME=VALUE", n) // and may hold a secret
		}
		values[name] = unquote(strings.TrimSpace(value))
	}
	return nil
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
