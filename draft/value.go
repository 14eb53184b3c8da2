package draft

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// duration gives a limit a time, or the next whole minute where its product
// writes minutes; ok says that it takes that.
func (d *drafter) duration(l chain.Limit, t time.Duration, why string, args ...any) (ok bool) {
	if l.Origin.Place == nil || t <= 0 {
		return false
	}
	text, err := l.Origin.Place.Notation.Format(t)
	if err != nil {
		t = (t + time.Minute - 1).Truncate(time.Minute)
		text, err = l.Origin.Place.Notation.Format(t)
	}
	if err != nil || l.Most > 0 && t > l.Most {
		return false
	}
	d.write(l.Origin, text, fmt.Sprintf(why, args...))
	return true
}

// number gives a setting a number, if it can be written.
func (d *drafter) number(o chain.Origin, n int, why string, args ...any) {
	if o.Place != nil {
		d.write(o, strconv.Itoa(n), fmt.Sprintf(why, args...))
	}
}

func (d *drafter) write(o chain.Origin, text, why string) {
	if strings.HasPrefix(o.Place.After, `"`) {
		text = strconv.Quote(text)
	}
	d.plain(grouped(text), why, labels(o.Setting)...)
}

// rewrites is how often a value is changed at most: where two limits that push
// each other up share a setting, the rules say which of them does not fit.
const rewrites = 10

// plain writes a value as it is, with its reason.
func (d *drafter) plain(text, why string, path ...string) {
	if f := d.layers.at(path...); f.value != text && f.times < rewrites {
		f.value, f.why, d.changed = text, why, true
		f.times++
	}
}

// written is what the draft gives a setting, "" for nothing.
func (d *drafter) written(o chain.Origin) string {
	f := d.layers
	for _, name := range labels(o.Setting) {
		if f = f.find(name); f == nil {
			return ""
		}
	}
	return f.value
}

// grouped is a long number as people write it: 22_000.
func grouped(text string) string {
	if _, err := strconv.ParseUint(text, 10, 64); err != nil || len(text) < 5 {
		return text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}

// over is the whole number of seconds that leaves the room for an error, which
// is a second at most, behind an inner end.
func over(inner time.Duration) time.Duration {
	return inner.Truncate(time.Second) + 2*time.Second
}
