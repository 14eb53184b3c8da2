package prometheus

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// waits are the rules for pooled connections: a pool of the size that the stack says
// is large enough for all calls, so that none waits for long.
func (w *writer) waits(calls []call) {
	for _, x := range calls {
		pool := x.Call.Pool
		if pool == nil || pool.InForce().N == 0 {
			continue
		}
		size := pool.InForce()
		known, key := x.of()
		m := known.waits
		if m == nil {
			w.Warn(size.Origin.Setting, "no alert tells when "+x.Outer.Layer+" waits for a connection to "+x.Node.Layer+": no metric of "+key+" is known for that")
			continue
		}
		comment := fmt.Sprintf("%d connections to %s (%s)", size.N, x.Node.Layer, emit.From(size.Origin))
		if wait, ok := x.Call.Limit(chain.PoolWait); ok && wait.Bound != chain.Never {
			comment += fmt.Sprintf("; a call waits %s for one (%s)", chain.Format(wait.Bound), emit.From(wait.Origin))
		}
		comments := []string{comment}
		if m.needs != "" {
			with := strings.ReplaceAll(m.needs, "{client}", x.Call.Client)
			comments = append(comments, x.Outer.Layer+" has this metric only with "+with)
			w.Warn(size.Origin.Setting, x.Outer.Layer+" has "+m.name+", by which TchainPoolWait tells, only with "+with+
				": what tchain emit spring writes observes calls and not the pool, which needs micrometer-core")
		}
		w.rules.add(alert{
			name: "TchainPoolWait", expr: "max(" + x.selector(m, "") + ") > 0", lasts: "1m", severity: "warning", layer: x.Outer.Layer,
			comments: comments, doc: m.doc,
			summary: fmt.Sprintf("Calls of %s to %s wait for one of %d connections", x.Outer.Layer, x.Node.Layer, size.N),
		})
		w.watch(x.selector(m, ""), x.Outer.Layer, m)
	}
}
