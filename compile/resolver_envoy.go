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
	if !e.triesEnd(own, all) {
		list.repeatsNot(chain.CondTimeout)
	}
	if slices.Contains(list.words(), "retriable-status-codes") && codes.written() {
		list.alsoStatuses(codes.words())
	}
}

// triesEnd reports whether a limit of one attempt ends a silent one before the
// idle limit of the caller's stream does, which ends the call with all attempts:
// https://github.com/envoyproxy/envoy/blob/main/source/common/http/conn_manager_impl.cc,
// onIdleTimeout sends its own answer, and the router's retries end with the stream.
func (e *effective) triesEnd(idle ...*setting) bool {
	for _, name := range []string{"retry_policy.per_try_timeout", "retry_policy.per_try_idle_timeout"} {
		one := e.find(name)
		if one.finite() && len(one.field.Limits) > 0 && !slices.ContainsFunc(idle, func(s *setting) bool { return s.finite() && s.d <= one.d }) {
			return true
		}
	}
	return false
}

// repeatsNot takes a failure out of what the words of a list mean.
func (s *setting) repeatsNot(cond chain.Cond) {
	if s == nil || s.field.Retry == nil {
		return
	}
	f, spec := *s.field, *s.field.Retry
	spec.Tokens = slices.Clone(spec.Tokens)
	for i, t := range spec.Tokens {
		spec.Tokens[i].Conds = slices.DeleteFunc(slices.Clone(t.Conds), func(c chain.Cond) bool { return c == cond })
	}
	f.Retry, s.field = &spec, &f
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
	e.noPolicy()
	e.ignorePerTry(e.find("virtualService.http.retries.perTryTimeout"), e.find("virtualService.http.timeout"))
	e.find("virtualService.http.retries.retryOn").commas()
	own, mesh := e.find("trafficPolicy.connectionPool.tcp.connectTimeout"), e.find("meshConfig.connectTimeout")
	if own != nil && own.state == unset {
		own.becomes(mesh, "connectTimeout not set: meshConfig")
	}
}

// noPolicy takes the rest of a retry policy out of force where no attempt is allowed,
// or a policy says nothing of attempts, which Istio reads as none: it gives Envoy no
// policy then, and no limit of one attempt either. Its webhook refuses two of them:
// https://github.com/istio/istio/blob/master/pilot/pkg/networking/core/route/retry/retry.go
// (ConvertPolicy), https://github.com/istio/istio/blob/master/pkg/config/validation/validation.go
// (validateHTTPRetry).
func (e *effective) noPolicy() {
	const block = "virtualService.http.retries."
	attempts := e.find(block + "attempts")
	if attempts == nil || attempts.state != known {
		return
	}
	rest := []*setting{e.find(block + "perTryTimeout"), e.find(block + "retryOn"), e.find(block + "backoff")}
	why := "with attempts 0"
	switch written := slices.ContainsFunc(rest, (*setting).written); {
	case attempts.written() && attempts.number() != 0, !attempts.written() && !written:
		return
	case !attempts.written():
		attempts.take(attempts.field, "0")
		attempts.origin.Source, attempts.origin.Text, attempts.origin.Note = chain.Derived, "0", "attempts not set in retries"
		why = "without attempts, which is 0,"
	}
	for _, s := range rest {
		switch {
		case s == nil:
			continue
		case s.written() && s.origin.Name == "backoff":
			e.remark(chain.NoticeIgnored, s, attempts, "backoff is not in force: %s Istio writes no retry policy", why)
		case s.written():
			e.remark(chain.NoticeRejected, s, attempts, "%s is refused: %s Istio takes no other retries", s.origin.Name, why)
		}
		s.mute()
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
	text := s.text // the statuses stand in a setting of their own
	s.also(codes...)
	s.text = text
}
