package spring

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// operate writes the layers around the transport as operators, the innermost first.
func (f *flow) operate(u limits.Use, add func(name, kind, value string, o chain.Origin, note string), timer func(name string, l chain.Limit, note string), c *emit.Collector) {
	layers := slices.Clone(u.Call.Layers)
	slices.Reverse(layers)
	for i, layer := range layers {
		n := strconv.Itoa(i)
		switch {
		case layer.Name == "": // the transport
		case layer.Name == "timeout" && len(layer.Limits) == 1:
			timer("TIMEOUT_"+n, layer.Limits[0], "")
			f.operators = append(f.operators, ".timeout(TIMEOUT_"+n+")")
		case layer.Name == "retryWhen" && layer.Retry != nil:
			f.retry(n, *layer.Retry, add, timer, c)
		default:
			c.Refuse(&emit.Refusal{Target: target, Value: u.Node.Layer + " to " + u.Call.To.Layer, Why: "its " + layer.Name + " is no operator of Reactor's"})
		}
	}
	if u.Node.Deadline.PerCall.Declared() && !slices.ContainsFunc(f.operators, func(o string) bool { return strings.HasPrefix(o, ".timeout") }) {
		d := u.Node.Deadline.PerCall
		timer("TIMEOUT_0", chain.Limit{Bound: d.D, Origin: d.Origin}, "")
		f.operators = append(f.operators, ".timeout(TIMEOUT_0)")
	}
}

// retry is one retryWhen.
func (f *flow) retry(n string, r chain.Retry, add func(name, kind, value string, o chain.Origin, note string), timer func(name string, l chain.Limit, note string), c *emit.Collector) {
	o := r.Attempts.Origin
	o.Note = ""
	kind, repeats := "int", strconv.Itoa(r.Attempts.N-1)
	switch {
	case r.Attempts.N == chain.Endless:
		kind, repeats = "long", "Long.MAX_VALUE"
	case r.Attempts.N-1 > math.MaxInt32:
		kind, repeats = "long", repeats+"L"
	}
	add("REPEATS_"+n, kind, repeats, o, "")
	text := ""
	switch {
	case !r.Interval.Declared():
		text = "Retry.max(REPEATS_" + n + ")"
	case r.Multiplier == 0:
		timer("WAIT_"+n, chain.Limit{Bound: r.Interval.D, Origin: r.Interval.Origin}, "")
		text = "Retry.fixedDelay(REPEATS_" + n + ", WAIT_" + n + ")"
	default:
		text = f.backoff(n, r, timer, c)
	}
	if r.Origin.Name == "filter" {
		text += ".filter(failure -> " + filter(r.Origin, c) + ")"
	}
	f.operators = append(f.operators, ".retryWhen("+text+")")
}

// backoff is a wait that doubles. The model has the longest one that jitter makes of
// the first, from which the share is taken back.
func (f *flow) backoff(n string, r chain.Retry, timer func(name string, l chain.Limit, note string), c *emit.Collector) string {
	first, err := time.ParseDuration(r.Interval.Origin.Text)
	share := ""
	if err == nil && first > 0 {
		share = strconv.FormatFloat(float64(r.Interval.D-first)/float64(first), 'f', -1, 64)
	}
	if share == "" || r.MaxInterval > 0 && r.Interval.D >= r.MaxInterval {
		c.Refuse(emit.Refuse(target, r.Interval.Origin, "its first wait with its jitter is the longest one, and what the jitter is is not known here"))
	}
	o := r.Interval.Origin
	o.Note = ""
	timer("WAIT_"+n, chain.Limit{Bound: first, Origin: o}, "")
	text := "Retry.backoff(REPEATS_" + n + ", WAIT_" + n + ").jitter(" + share + ")"
	if r.MaxInterval > 0 {
		o.Setting = strings.Replace(o.Setting, "minBackoff", "maxBackoff", 1)
		timer("LONGEST_"+n, chain.Limit{Bound: r.MaxInterval, Origin: o}, "")
		text += ".maxBackoff(LONGEST_" + n + ")"
	}
	return text
}

// exceptions are those that a filter can name here.
var exceptions = []string{"TimeoutException", "WebClientRequestException", "WebClientResponseException"}

// filter is what is repeated, as a condition of failure.
func filter(o chain.Origin, c *emit.Collector) string {
	var out []string
	for w := range strings.FieldsSeq(strings.NewReplacer("[", " ", "]", " ", ",", " ", `"`, " ").Replace(o.Text)) {
		switch status, err := strconv.Atoi(w); {
		case err == nil:
			out = append(out, fmt.Sprintf("status(failure, %d, %d)", status, status))
		case len(w) == 3 && strings.HasSuffix(w, "xx"):
			out = append(out, fmt.Sprintf("status(failure, %c00, %c99)", w[0], w[0]))
		case slices.Contains(exceptions, w):
			out = append(out, "failure instanceof "+w)
		default:
			c.Refuse(emit.Refuse(target, o, "%s is neither a status, a class as 5xx, nor one of %s", w, strings.Join(exceptions, ", ")))
		}
	}
	return strings.Join(out, " || ")
}
