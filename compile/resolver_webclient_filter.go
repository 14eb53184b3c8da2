package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// causeWord begins a word of a filter that asks for the cause of an exception.
const causeWord = "cause:"

// webClientCauses are the failures that are the cause of a WebClientRequestException,
// and of a WebClientResponseException where the body ends so.
var webClientCauses = map[string][]chain.Cond{
	"IOException":                  {chain.CondDNSTimeout, chain.CondRefused, chain.CondConnectTimeout, chain.CondTLSTimeout, chain.CondReset, chain.CondStale, chain.CondKilled, chain.CondCut},
	"PrematureCloseException":      {chain.CondStale, chain.CondKilled, chain.CondCut},
	"ConnectException":             {chain.CondRefused, chain.CondConnectTimeout},
	"ConnectTimeoutException":      {chain.CondConnectTimeout},
	"SslHandshakeTimeoutException": {chain.CondTLSTimeout},
	"ReadTimeoutException":         {chain.CondTimeout},
	"PoolAcquireTimeoutException":  {chain.CondPoolTimeout},
	"UnknownHostException":         {chain.CondDNSTimeout},
}

// exhaustedException comes out of a retryWhen in place of the last failure, once its attempts
// are used up: https://github.com/reactor/reactor-core/blob/v3.7.19/reactor-core/src/main/java/reactor/util/retry/RetryBackoffSpec.java
const exhaustedException = "RetryExhaustedException"

// A webClientBefore is what stands before an operator.
type webClientBefore struct {
	timeout bool // a timeout does
	// exhausted are the failures that come only as exhaustedException, since a
	// retryWhen repeats after each of them until its attempts are used up.
	exhausted []chain.Cond
}

func (b *webClientBefore) timesOut() {
	b.timeout = true
	b.exhausted = slices.DeleteFunc(b.exhausted, func(c chain.Cond) bool { return c == chain.CondDeadline }) // its own
}

func (b *webClientBefore) exhausts(r *chain.Retry) {
	for _, c := range r.On {
		if !slices.Contains(b.exhausted, c) {
			b.exhausted = append(b.exhausted, c)
		}
	}
}

// filter is what is repeated: every failure, or those of the words.
func (in clientInput) filter(out *clientOutput, r *chain.Retry, filter *setting, before webClientBefore) {
	if !filter.written() {
		r.On = ownConds("Exception")
		return
	}
	r.CutApart = true
	for _, w := range filter.words() {
		conds, kind, why := webClientFailures(w, before)
		if why != "" {
			out.Notices = append(out.Notices, chain.Notice{Kind: kind, Origin: filter.origin, Message: "filter: " + why})
		}
		for _, c := range conds {
			if !slices.Contains(r.On, c) {
				r.On = append(r.On, c)
			}
		}
		if w == "timeout" || strings.HasPrefix(w, causeWord) && slices.Contains(conds, chain.CondTimeout) {
			r.CutApart = false // it is what ends the body, too
		}
	}
}

// webClientFailures are the failures that a word of a filter matches. why says what is
// wrong with the word, and kind what becomes of it.
func webClientFailures(word string, before webClientBefore) (conds []chain.Cond, kind chain.NoticeKind, why string) {
	conds, kind, why = webClientThrown(word, before)
	if simple := simpleName(word); conds == nil || simple == exhaustedException || slices.Contains(javaExceptions[simple], "any") {
		return conds, kind, why
	}
	left := slices.DeleteFunc(slices.Clone(conds), func(c chain.Cond) bool { return slices.Contains(before.exhausted, c) })
	if len(left) == 0 {
		return nil, chain.NoticeIgnored, fmt.Sprintf("a retryWhen before it repeats after %s, and then throws %s, so that none comes to it; write onRetryExhaustedThrow there, or %q here", word, exhaustedException, exhaustedException)
	}
	return left, kind, why
}

// webClientThrown are the failures that a word matches where they come as they are.
func webClientThrown(word string, before webClientBefore) (conds []chain.Cond, kind chain.NoticeKind, why string) {
	if class, isCause := strings.CutPrefix(word, causeWord); isCause {
		if conds = webClientCauses[simpleName(class)]; conds == nil {
			return nil, chain.NoticeRejected, fmt.Sprintf("%q is the cause of no failure that is known here", class)
		}
		return conds, "", ""
	}
	simple := simpleName(word)
	foreign := simple == "TimeoutException" && simple != word && word != "java.util.concurrent.TimeoutException"
	switch {
	case simple == exhaustedException && before.exhausted == nil:
		return nil, chain.NoticeIgnored, "no retryWhen stands before it, so that no " + word + " comes to it"
	case simple == exhaustedException:
		return before.exhausted, "", ""
	case simple == "TimeoutException" && !foreign && !before.timeout:
		return nil, chain.NoticeIgnored, "no timeout stands before retryWhen, so that no " + word + " comes to it"
	case simple == "TimeoutException" && !foreign:
		return []chain.Cond{chain.CondDeadline}, "", ""
	case webClientCauses[simple] != nil:
		return nil, chain.NoticeIgnored, fmt.Sprintf("what fails on the connection comes as a WebClientRequestException, so that no %s comes to it; %q asks for the cause", word, causeWord+word)
	case javaExceptions[simple] != nil && (foreign || slices.Contains(notWebClients, simple)):
		return nil, chain.NoticeIgnored, "WebClient throws no " + word
	}
	if conds = ownConds(word); conds == nil {
		return nil, chain.NoticeRejected, fmt.Sprintf("%q is no status, no class as 5xx, and no exception that is known here", word)
	}
	return conds, "", ""
}

// notWebClients are exceptions of other clients.
var notWebClients = []string{
	"SocketException", "SocketTimeoutException", "HttpConnectTimeoutException", "HttpTimeoutException", "BulkheadFullException",
	"RestClientException", "ResourceAccessException", "RestClientResponseException", "HttpStatusCodeException", "HttpServerErrorException",
	"HttpClientErrorException", "RetryableException", "SQLTransientConnectionException",
}
