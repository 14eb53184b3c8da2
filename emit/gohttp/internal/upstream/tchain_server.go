package upstream

import (
	"log/slog"
	"net/http"
	"time"
)

// RouteLimits are the limits of one route of a server. Zero is no limit.
type RouteLimits struct {
	Write   time.Duration // from the request's header to the end of the answer; the connection is closed then
	Handler time.Duration // for the handler, which is answered for with a 503 and whose context is cancelled then
}

// Limit is h under the limits. Write replaces the server's own WriteTimeout, longer or
// shorter; a ResponseWriter that is wrapped needs an Unwrap method for it.
func (l RouteLimits) Limit(h http.Handler) http.Handler {
	if l.Handler > 0 {
		h = http.TimeoutHandler(h, l.Handler, "")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var deadline time.Time
		if l.Write > 0 {
			deadline = time.Now().Add(l.Write)
		}
		if err := http.NewResponseController(w).SetWriteDeadline(deadline); err != nil {
			slog.ErrorContext(r.Context(), "the server's WriteTimeout holds, not the route's", "route", r.Pattern, "error", err)
		}
		h.ServeHTTP(w, r)
	})
}
