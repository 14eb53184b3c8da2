package istio

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// pool is the path of the settings of a connection pool.
const pool = "destinationRule.trafficPolicy.connectionPool."

// destinationRule is the rule of one callee.
func destinationRule(l *emit.Layer, h emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	peer := h.Callee().To.Layer
	head(&b, "DestinationRule", named(l.Name+"-"+peer, c))
	fmt.Fprintf(&b, "  host: %s\n  trafficPolicy:\n    connectionPool:\n      tcp:\n", named(peer, c))
	if connect, ok := h.Callee().Limit(chain.Connect); ok && connect.Bound != chain.Never {
		if connect.Bound < time.Millisecond {
			c.Refuse(emit.Refuse(target, connect.Origin, "connecting takes 1ms at least"))
		}
		line(&b, 8, "connectTimeout", inSeconds(connect.Bound), connect.Origin)
	} else {
		c.Refuse(&emit.Refusal{Target: target, Setting: connect.Origin.Setting, Value: l.Name + " to " + peer, Why: "connecting has no limit that is known here"})
	}
	fields(&b, h, "tcp.", []string{"idleTimeout"}, []string{"maxConnections"}, c)
	b.WriteString("      http:\n")
	fields(&b, h, "http.", []string{"idleTimeout"}, []string{"maxRetries", "http1MaxPendingRequests", "http2MaxRequests", "maxRequestsPerConnection"}, c)
	return b.String()
}

func fields(b *strings.Builder, h emit.Hop, block string, times, numbers []string, c *emit.Collector) {
	for _, name := range times {
		if s, ok := find(h, pool+block+name); ok {
			line(b, 8, name, seconds(s, c), s.Origin)
		}
	}
	for _, name := range numbers {
		if s, ok := find(h, pool+block+name); ok {
			line(b, 8, name, whole(s, c), s.Origin)
		}
	}
}
