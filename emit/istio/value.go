package istio

import (
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// find is a setting by its path behind the type: "virtualService.http.timeout".
func find(h emit.Hop, path string) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Origin.ID == "istio."+path && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// seconds is a duration in seconds, the one form that every reader of a protobuf
// duration takes.
func seconds(s chain.Setting, c *emit.Collector) string {
	d, err := time.ParseDuration(s.Value)
	if err != nil || d < 0 {
		c.Refuse(emit.Refuse(target, s.Origin, "it is no duration"))
	}
	return inSeconds(d)
}

func inSeconds(d time.Duration) string {
	text := strconv.FormatInt(int64(d/time.Second), 10)
	if rest := d % time.Second; rest != 0 {
		digits := strconv.FormatInt(int64(rest), 10)
		text += "." + strings.TrimRight(strings.Repeat("0", 9-len(digits))+digits, "0")
	}
	return text + "s"
}

// whole is a number that is not below zero.
func whole(s chain.Setting, c *emit.Collector) string {
	if n, err := strconv.ParseInt(s.Value, 10, 32); err != nil || n < 0 {
		c.Refuse(emit.Refuse(target, s.Origin, "it is a whole number up to 2147483647"))
	}
	return s.Value
}

// line is one field, with where its value comes from.
func line(b *strings.Builder, indent int, name, value string, o chain.Origin) {
	b.WriteString(strings.Repeat(" ", indent) + name + ": " + value + " # " + emit.From(o) + "\n")
}
