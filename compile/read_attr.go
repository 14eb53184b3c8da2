package compile

import (
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"tchain.dev/tchain/chain"
)

// An attr is one attribute of the user's, as `@estimate("from the dashboard")`.
type attr struct {
	Name  string // "estimate"
	Body  string // what stands between the parentheses, untouched
	Args  []attrArg
	Range chain.Range // from the @ to the closing parenthesis
}

// An attrArg is one argument; Key is empty where only a value is written, and
// both are unquoted.
type attrArg struct {
	Key, Value string
	Range      chain.Range
}

// arg is the value of the first argument of a key; key "" is the first one
// without a key. ok is false if there is none.
func (a attr) arg(key string) (value string, ok bool) {
	for _, x := range a.Args {
		if x.Key == key {
			return x.Value, true
		}
	}
	return "", false
}

// readAttr takes an attribute of the syntax apart.
func (s *source) readAttr(a *ast.Attribute) attr {
	name, body := a.Split()
	out := attr{Name: name, Body: body}
	t, err := s.text(a.Pos().Filename())
	at := a.Pos().Offset()
	if err == nil {
		out.Range = t.rng(span{at, at + len(a.Text)})
	}
	start := at + len(name) + 2
	for _, part := range splitArgs(body) {
		from, text := part, body[part.from:part.to]
		x := attrArg{}
		if k, v, ok := strings.Cut(text, "="); ok && isKey(k) {
			x.Key, text = strings.TrimSpace(k), v
		}
		x.Value = unquoted(strings.TrimSpace(text))
		if err == nil {
			x.Range = t.rng(span{start + from.from, start + from.to})
		}
		out.Args = append(out.Args, x)
	}
	return out
}

// isKey tells `until="x"` from a quoted text that holds an equals sign.
func isKey(s string) bool { return !strings.ContainsAny(s, `"'([{`) && strings.TrimSpace(s) != "" }

func unquoted(s string) string {
	if u, err := literal.Unquote(s); err == nil {
		return u
	}
	return s
}

// splitArgs are the parts between commas outside of quotes and brackets, without
// the white space around them.
func splitArgs(body string) []span {
	var out []span
	depth, from := 0, 0
	add := func(to int) {
		part := body[from:to]
		lead := len(part) - len(strings.TrimLeft(part, " \t\r\n"))
		if trimmed := strings.TrimSpace(part); trimmed != "" {
			out = append(out, span{from + lead, from + lead + len(trimmed)})
		}
		from = to + 1
	}
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"', '\'':
			if end := stringEnd([]byte(body), i); end > i {
				i = end
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	add(len(body))
	return out
}
