package compile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// A state says what is known of a setting.
type state int

const (
	unset   state = iota // neither written nor with a default
	unknown              // injected at run time and not given
	known
)

// A setting is one field of a type with the value that is in force.
type setting struct {
	field  *Field
	group  string // the peer's block it belongs to, "" outside of one: names are looked up here first
	name   string // from the group on: "proxy_read_timeout", "requestConfig.responseTimeout"
	block  string // for chain.Setting
	state  state
	raw    any
	text   string
	d      time.Duration
	origin chain.Origin
	rests  bool // derived from a value that was written
	each   int  // the number is so many times what is written; 0 is once
	// announced is what callers are told of an idle time, where that is not d; Never is none.
	announced time.Duration
}

// written reports whether a person or the environment gave the value.
func (s *setting) written() bool {
	return s != nil && s.state != unset && (s.origin.Source == chain.Written || s.origin.Source == chain.Injected)
}

// on reports whether a setting that others depend on is switched on. What is
// injected and not given is taken to be on.
func (s *setting) on() bool {
	switch {
	case s == nil || s.state == unset:
		return false
	case s.state == unknown:
		return true
	case s.isNull():
		return false
	case s.field.Notation != nil:
		return s.d != 0
	}
	return !slices.Contains([]string{"", "0", "off", "false", "no", "[]"}, s.text)
}

// isNull reports whether the value is null: the product's word for none.
func (s *setting) isNull() bool { return s.state == known && s.raw == nil && s.text == "null" }

func (s *setting) number() int {
	n, _ := s.raw.(int64)
	return int(n)
}

// words are the words of a list, however it is written.
func (s *setting) words() []string {
	switch raw := s.raw.(type) {
	case []string:
		return raw
	case string:
		return strings.Fields(raw)
	}
	return nil
}

func (s *setting) value() chain.Value {
	if s == nil || s.state != known {
		return chain.Value{}
	}
	return chain.Value{D: s.d, Origin: s.origin}
}

// parseDefault reads a value of the catalogue in the product's own syntax.
func parseDefault(f *Field, text string) (raw any, d time.Duration) {
	if f.Notation != nil {
		if d, err := f.Notation.Parse(text); err == nil {
			return text, d
		}
	}
	if f.Fixed != "" {
		if d, err := time.ParseDuration(text); err == nil {
			return text, d
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, 0
	}
	if b, err := strconv.ParseBool(text); err == nil {
		return b, 0
	}
	return text, 0
}

// meaning is what the catalogue says of a zero or of a negative value; "" for
// any other value, or if it says nothing.
func (s *setting) meaning() string {
	if s.isNull() {
		return s.field.Null
	}
	if _, isList := s.raw.([]string); isList {
		return ""
	}
	switch sign := s.sign(); {
	case sign == 0:
		return s.field.Zero
	case sign < 0 && s.field.Negative == "" && s.field.Notation == nil:
		return s.field.Zero
	case sign < 0 && s.field.Negative == "":
		return "invalid"
	case sign < 0:
		return s.field.Negative
	}
	return ""
}

// untold is why a zero or a negative value acts as it does where the product tells
// nobody; "" for any other value, and for one that is documented.
func (s *setting) untold() string {
	switch sign := s.sign(); {
	case s.meaning() == "":
		return ""
	case sign < 0 && s.field.Negative != "":
		return s.field.NegativeWhy
	case sign <= 0:
		return s.field.ZeroWhy
	}
	return ""
}

// sign is below, at or above 0 as the time or the number is; what is neither counts
// as above.
func (s *setting) sign() int {
	if s.field.Notation != nil {
		return cmp.Compare(s.d, 0)
	}
	if n, isNumber := s.raw.(int64); isNumber {
		return cmp.Compare(n, 0)
	}
	return 1
}
