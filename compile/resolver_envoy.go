package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustEnvoy: a per-try limit at or above the route's is ignored, a route's
// idle limit replaces the connection manager's, and the statuses of
// retriable-status-codes are a list of their own.
func adjustEnvoy(e *effective) {
	e.ignorePerTry(e.find("retry_policy.per_try_timeout"), e.find("timeout"))
	own, all := e.find("idle_timeout"), e.find("http_connection_manager.stream_idle_timeout")
	if own != nil && own.state != unset {
		if all.written() && all.d != own.d {
			e.remark(chain.NoticeShadowed, all, own, "stream_idle_timeout %s is not in force on this route; its idle_timeout %s wins", all.text, own.text)
		}
		all.mute()
	} else if own != nil {
		own.mute()
	}
	list, codes := e.find("retry_policy.retry_on"), e.find("retry_policy.retriable_status_codes")
	list.commas()
	if slices.Contains(list.words(), "retriable-status-codes") && codes.written() {
		list.alsoStatuses(codes.words())
	}
}

// ignorePerTry takes a limit of one attempt out of force where the whole has no
// longer one: Envoy then drops it silently.
func (e *effective) ignorePerTry(perTry, whole *setting) {
	if perTry == nil || !perTry.written() || !perTry.finite() || !whole.finite() || perTry.d < whole.d {
		return
	}
	e.remark(chain.NoticeIgnored, perTry, whole, "%s %s is ignored: %s takes one only below %s %s", perTry.origin.Name, perTry.text, e.typ.Key, whole.origin.Name, whole.text)
	perTry.mute()
}

// adjustIstio: Envoy's rules, a list with commas, and the mesh's connect limit
// where the destination rule has none.
func adjustIstio(e *effective) {
	e.ignorePerTry(e.find("virtualService.http.retries.perTryTimeout"), e.find("virtualService.http.timeout"))
	e.find("virtualService.http.retries.retryOn").commas()
	own, mesh := e.find("trafficPolicy.connectionPool.tcp.connectTimeout"), e.find("meshConfig.connectTimeout")
	if own != nil && own.state == unset {
		own.becomes(mesh, "connectTimeout not set: meshConfig")
	}
}

// alsoStatuses adds statuses to a list of conditions, which then means them too.
func (s *setting) alsoStatuses(codes []string) {
	f, spec := *s.field, *s.field.Retry
	for _, code := range codes {
		if conds := ownConds(code); len(conds) == 1 {
			spec.Tokens = append(spec.Tokens[:len(spec.Tokens):len(spec.Tokens)], Token{Word: code, Conds: conds})
		}
	}
	f.Retry = &spec
	s.field = &f
	s.also(codes...)
}
