package gatewayapi

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A member is one field of a rule, with where its value comes from.
type member struct{ block, name, value, from string }

// fields are those that a patch sets, in their order.
var fields = []struct {
	block, name string
	value       func(chain.Setting, *emit.Collector) string
}{
	{"timeouts", "request", duration},
	{"timeouts", "backendRequest", duration},
	{"retry", "attempts", whole},
	{"retry", "codes", codes},
	{"retry", "backoff", duration},
}

func members(h emit.Hop, c *emit.Collector) []member {
	var out []member
	found := map[string]chain.Setting{}
	for _, f := range fields {
		s, ok := find(h, f.block+"."+f.name)
		if !ok {
			continue
		}
		found[f.name] = s
		out = append(out, member{f.block, f.name, f.value(s, c), emit.From(s.Origin)})
		if f.block == "retry" {
			c.Warn("", "retry is in the standard channel of Gateway API from 1.7 on, and before in the experimental one only")
		}
	}
	request, hasRequest := found["request"]
	if !hasRequest {
		c.Warn("", h.Node.Layer+" has no timeouts.request for "+h.Label()+": its implementation decides")
	}
	if backend, ok := found["backendRequest"]; ok && hasRequest {
		whole, _ := time.ParseDuration(request.Value)
		one, _ := time.ParseDuration(backend.Value)
		if whole != 0 && one > whole {
			c.Refuse(emit.Refuse(target, backend.Origin, "backendRequest cannot be longer than request, which is %s", request.Value))
		}
	}
	return out
}

// find is a setting by its path within a rule: "timeouts.request".
func find(h emit.Hop, path string) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Origin.ID == "gatewayAPI."+path && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// form is that of GEP-2257: https://gateway-api.sigs.k8s.io/geps/gep-2257/
var form = regexp.MustCompile(`^([0-9]{1,5}(h|m|s|ms)){1,4}$`)

func duration(s chain.Setting, c *emit.Collector) string {
	if !form.MatchString(s.Value) {
		c.Refuse(emit.Refuse(target, s.Origin, "a duration is whole numbers of at most five digits with h, m, s or ms"))
	}
	return s.Value
}

func whole(s chain.Setting, c *emit.Collector) string {
	if n, err := strconv.ParseInt(s.Value, 10, 32); err != nil || n < 0 {
		c.Refuse(emit.Refuse(target, s.Origin, "it is a whole number up to 2147483647"))
	}
	return s.Value
}

func codes(s chain.Setting, c *emit.Collector) string {
	list := strings.FieldsFunc(s.Value, func(r rune) bool { return r == ' ' || r == ',' })
	for _, code := range list {
		if n, err := strconv.Atoi(code); err != nil || n < 400 || n > 599 {
			c.Refuse(emit.Refuse(target, s.Origin, "a code that is tried again is from 400 to 599"))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func sameMembers(a, b []member) bool {
	return slices.EqualFunc(a, b, func(a, b member) bool { return a.name == b.name && a.value == b.value })
}
