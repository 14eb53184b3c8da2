package alb

import (
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// An attribute is one setting by the names that its writers have for it.
type attribute struct {
	block, name string // as in chain.Setting; Terraform has the same names
	key         string // of modify-…-attributes; "" if it is a field of modify-target-group
	field       string // of modify-target-group
	annotation  string // behind the controller's prefix; "" if it is one of a map by key
	low, high   int    // what the balancer takes; both 0 for a text
	off         bool   // 0 is taken as well
}

const (
	balancer = ""
	group    = "target_group"
	health   = "target_group.health_check"
)

// attributes are all settings of the balancer, in the order in which they are written.
var attributes = []attribute{
	{block: balancer, name: "idle_timeout", key: "idle_timeout.timeout_seconds", low: 1, high: 4000},
	{block: balancer, name: "client_keep_alive", key: "client_keep_alive.seconds", low: 60, high: 604800},
	{block: group, name: "deregistration_delay", key: "deregistration_delay.timeout_seconds", high: 3600},
	{block: group, name: "slow_start", key: "slow_start.duration_seconds", low: 30, high: 900, off: true},
	{block: health, name: "path", field: "HealthCheckPath", annotation: "healthcheck-path"},
	{block: health, name: "interval", field: "HealthCheckIntervalSeconds", annotation: "healthcheck-interval-seconds", low: 5, high: 300},
	{block: health, name: "timeout", field: "HealthCheckTimeoutSeconds", annotation: "healthcheck-timeout-seconds", low: 2, high: 120},
	{block: health, name: "healthy_threshold", field: "HealthyThresholdCount", annotation: "healthy-threshold-count", low: 2, high: 10},
	{block: health, name: "unhealthy_threshold", field: "UnhealthyThresholdCount", annotation: "unhealthy-threshold-count", low: 2, high: 10},
}

// A value is an attribute that is in force.
type value struct {
	attribute
	text    string
	origin  chain.Origin
	comment string
}

// number reports whether the value is a number, else it is a text.
func (a attribute) number() bool { return a.high > 0 }

// values are the values of a hop in the blocks, in writing order. What has no
// known value is refused; a ramp that is off by default is left out.
func values(h emit.Hop, c *emit.Collector, blocks ...string) []value {
	var out []value
	for _, a := range attributes {
		for _, block := range blocks {
			if a.block != block {
				continue
			}
			s, ok := find(h, a)
			switch {
			case !ok && a.number():
				c.Refuse(&emit.Refusal{Target: target, Setting: settingOf(h, a), Why: "it has no value that is known here"})
			case !ok, a.off && s.Value == "0" && !s.Origin.Said():
			default:
				a.check(s, c)
				out = append(out, value{a, s.Value, s.Origin, comment(s, h)})
			}
		}
	}
	return out
}

func find(h emit.Hop, a attribute) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Block == a.block && s.Origin.Name == a.name && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// settingOf is the path of a setting that has no value.
func settingOf(h emit.Hop, a attribute) string {
	path := h.Node.Layer + ".alb."
	if a.block != balancer {
		path += strings.Replace(a.block, group, group+"."+h.Callee().To.Layer, 1) + "."
	}
	return path + a.name
}

// check refuses what the balancer would not take.
func (a attribute) check(s chain.Setting, c *emit.Collector) {
	if !a.number() {
		if !strings.HasPrefix(s.Value, "/") || strings.ContainsAny(s.Value, " \"\\'$%{}\n\t") {
			c.Refuse(emit.Refuse(target, s.Origin, "a health check asks for a path, from its slash on and without characters that need quoting"))
		}
		return
	}
	n, err := strconv.Atoi(s.Value)
	switch {
	case err != nil:
		c.Refuse(emit.Refuse(target, s.Origin, "%s is a whole number", a.name))
	case n == 0 && a.off:
	case n < a.low || n > a.high:
		c.Refuse(emit.Refuse(target, s.Origin, "%s is from %d to %d", a.name, a.low, a.high))
	}
}

// comment is where the value comes from, and what a reader would lay beside it.
func comment(s chain.Setting, h emit.Hop) string {
	text := emit.From(s.Origin)
	call := h.Callee()
	if s.Origin.Name != "idle_timeout" || call == nil {
		return text
	}
	if l, ok := call.To.ServeLimit(chain.IdleKeepalive); ok && l.Bound != chain.Never {
		text += fmt.Sprintf("; %s keeps idle connections %s", call.To.Layer, chain.Format(l.Bound))
	}
	return text
}
