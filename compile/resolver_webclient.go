package compile

import (
	"slices"
	"strconv"

	"tchain.dev/tchain/chain"
)

// reactivePairs are the properties of Spring Boot's reactive clients.
var reactivePairs = []javaProperty{
	{"spring.http.reactiveclient.connect-timeout", "spring.http.reactiveclient.read-timeout", "3.5.0", "4.0.0"},
	{"spring.http.clients.connect-timeout", "spring.http.clients.read-timeout", "4.0.0", ""},
}

// resolveWebClient turns Reactor's operators into layers around the transport,
// and settles what Reactor Netty's pool and retry do.
func resolveWebClient(in clientInput) clientOutput {
	out := in.Defaults
	connect, read := in.bootTimes(&out, reactivePairs)
	option, response := in.find("option.CONNECT_TIMEOUT_MILLIS"), in.find("responseTimeout")
	connect.by(out.Limits, option)
	read.by(out.Limits, response)
	out.Derived = append(out.Derived, in.settled(&out, timerEach, option, connect), in.settled(&out, timerSilence, response, read))
	if s := in.find("provider.pendingAcquireMaxCount"); s.written() && s.state == known && s.number() == 0 {
		for i := range out.Limits {
			if l := &out.Limits[i]; l.Kind == chain.PoolWait { // nobody may wait
				l.Bound, l.Why, l.Zero, l.Count, l.Origin = 0, "", false, true, s.origin
			}
		}
	}
	if s := in.find("provider.maxConnections"); out.Pool != nil && s != nil && s.text == "16" && !s.written() {
		out.Pool.PerHost.Origin.Note = "twice the number of processors, at least 16"
	}
	if s := in.find("disableRetry"); !s.on() {
		out.Resend = &chain.Retry{Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondStale, chain.CondReset}, OnMethods: []string{}}
	}
	before := webClientBefore{}
	operators := in.listed("operators")
	out.Derived = append(out.Derived, operatorTimers(operators)...)
	for _, op := range operators {
		layer := chain.ClientLayer{}
		if s := op.find("timeout"); s.written() {
			layer.Name = "timeout"
			l, _ := in.limit(s, s.field.Limits[0])
			layer.Limits = []chain.Limit{l}
			before.timesOut()
		} else if len(op.block.child("retryWhen")) > 0 {
			layer.Name, layer.Retry = "retryWhen", in.retryWhen(&out, op, &before)
			out.Derived = append(out.Derived, repeatTimer(layer.Retry, op.find("retryWhen.filter")))
		} else {
			continue
		}
		out.Layers = slices.Insert(out.Layers, 0, layer)
	}
	out.Derived = append(out.Derived, in.resend())
	return out
}

// retryWhen is the policy of one retryWhen; nil if it repeats nothing.
func (in clientInput) retryWhen(out *clientOutput, op element, before *webClientBefore) *chain.Retry {
	retry := op.block.child("retryWhen")
	filter := op.find("retryWhen.filter")
	r := &chain.Retry{Origin: filter.origin, ReadsBody: true} // it stands after bodyToMono
	in.filter(out, r, filter, *before)
	written := 0
	count := func(s *setting) {
		written++
		r.Attempts = chain.Size{N: attemptsOf(s.number()), Origin: s.origin}
		r.Attempts.Origin.Note = "the first attempt is counted, too"
		if !filter.written() {
			r.Origin = s.origin
		}
	}
	if len(retry.child("fixedDelay")) > 0 {
		count(op.find("retryWhen.fixedDelay.attempts"))
		r.Interval = op.find("retryWhen.fixedDelay.delay").value()
	}
	if len(retry.child("backoff")) > 0 {
		count(op.find("retryWhen.backoff.attempts"))
		in.backoff(r, op)
	}
	if s := op.find("retryWhen.max"); s.written() {
		count(s)
	}
	if written != 1 {
		at := op.block[0]
		out.Notices = append(out.Notices, chain.Notice{
			Kind: chain.NoticeRejected, Origin: chain.Origin{Source: chain.Written, Setting: settingPath(at.Path), Name: "retryWhen", Pos: at.Pos},
			Message: "retryWhen takes exactly one of fixedDelay, backoff and max",
		})
	}
	if s := op.find("retryWhen.onRetryExhaustedThrow"); !s.written() {
		before.exhausts(r)
		r.Exhausted = exhaustedException
	}
	return r
}

// backoff doubles the wait; by jitter each may be longer by a share, though not
// than the longest.
func (in clientInput) backoff(r *chain.Retry, op element) {
	first, most, jitter := op.find("retryWhen.backoff.minBackoff"), op.find("retryWhen.backoff.maxBackoff"), op.find("retryWhen.backoff.jitter")
	r.Interval, r.Multiplier = first.value(), 2000
	share := jitter.share()
	if share > 0 {
		r.Jitter = true
		r.Interval.D = longestWait(r.Interval.D, share)
		r.Interval.Origin.Note = "by jitter up to " + chain.Format(r.Interval.D)
	}
	if most.written() && most.state == known {
		r.MaxInterval = most.d
		r.Interval.D = min(r.Interval.D, most.d)
	}
}

// share is a number between 0 and 1, or a factor, however it is written.
func (s *setting) share() float64 {
	if s == nil || s.state != known {
		return 0
	}
	switch n := s.raw.(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	f, _ := strconv.ParseFloat(s.text, 64)
	return f
}
