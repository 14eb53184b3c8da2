package node

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// browserFile is a fetch for the routes that begin in one browser layer.
func browserFile(l *emit.Layer, s *chain.Stack, c *emit.Collector) emit.File {
	var b strings.Builder
	header(&b, s)
	limits := camel(l.Name, "limits")
	fmt.Fprintf(&b, "/** How long %s waits for a whole answer, by route, in milliseconds of active time. */\nexport const %s = {\n", l.Name, limits)
	said := map[string]time.Duration{}
	for _, h := range l.Hops {
		whole, ok := wait(h, c)
		if !ok {
			continue
		}
		if other, again := said[h.Route.Name]; again {
			if other != whole.Bound {
				c.Refuse(emit.Refuse(target, whole.Origin, "%s is written for %s once, and has %s as well", h.Label(), l.Name, chain.Format(other)))
			}
			continue
		}
		said[h.Route.Name] = whole.Bound
		entry(&b, fmt.Sprintf("%q", h.Route.Name), millis(whole.Bound), emit.From(whole.Origin))
	}
	fmt.Fprintf(&b, `} as const;

/**
 * fetch that ends the request at its route's limit, header and body, with a
 * TimeoutError. The server is not told to stop.
 */
export function %s(route: keyof typeof %s, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(%s[route]);
  return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
}
`, camel(l.Name, "fetch"), limits, limits)
	return emit.File{Name: fileWord(l.Name) + "_fetch.ts", Content: []byte(b.String())}
}

// wait is the limit of the whole call; ok is false if nothing bounds it.
func wait(h emit.Hop, c *emit.Collector) (l chain.Limit, ok bool) {
	call := h.Callee()
	if call == nil {
		return l, false
	}
	if h.Route.Response.Mode == chain.WebSocket {
		c.Warn("", h.Label()+" is not written: a WebSocket is opened without fetch, and its wait for an answer is the program's to bound")
		return l, false
	}
	l, ok = call.Limit(chain.TotalDeadline)
	if !ok || l.Bound == chain.Never {
		c.Warn("", h.Label()+" is not written: nothing bounds the call of "+h.Node.Layer)
		return l, false
	}
	if l.Bound <= 0 {
		c.Refuse(emit.Refuse(target, l.Origin, "it ends at once"))
	}
	inBrowser := dialect
	inBrowser.Name = "a browser"
	inBrowser.Check(l, c)
	for _, layer := range call.Layers {
		if layer.Retry != nil && chain.MaxAttempts(layer.Retry, call) > 1 {
			c.Refuse(emit.Refuse(target, layer.Retry.Origin, "%s makes %d attempts, and fetch makes one", h.Node.Layer, chain.MaxAttempts(layer.Retry, call)))
		}
	}
	return l, true
}
