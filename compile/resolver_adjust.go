package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// adjusters are products that do not take every written value as it stands, by
// the name in their type's @resolver: one replaces a value silently, another
// lets a second setting beat it. Each changes the settings of one part before
// anything is made of them, and says so.
var adjusters = map[string]func(*effective){
	"alb":          adjustALB,
	"apacheHttpd":  adjustApacheHTTPD,
	"apiGateway":   adjustAPIGateway,
	"caddy":        adjustCaddy,
	"cloudfront":   adjustCloudFront,
	"envoy":        adjustEnvoy,
	"gatewayAPI":   adjustGatewayAPI,
	"gcpLB":        adjustGCPLB,
	"haproxy":      adjustHAProxy,
	"ingressNginx": adjustIngressNginx,
	"istio":        adjustIstio,
	"springRetry":  adjustSpringRetry,
	"springServer": adjustSpringServer,
	"traefik":      adjustTraefik,
	"aiohttp":      adjustAIOHTTP,
	"goHTTP":       adjustGoHTTP,
	"goRedis":      adjustGoRedis,
	"grpcGo":       adjustGRPCGo,
	"nginx":        adjustNGINX,
	"node":         adjustNode,
	"nodeClient":   adjustNodeClient,
	"gunicorn":     adjustGunicorn,
	"pgx":          adjustPgx,
	"requests":     adjustRequests,
	"urllib3":      adjustUrllib3,
	"workers":      adjustWorkers,
	"feign":        adjustFeign,
	"hikari":       adjustHikari,
	"hystrix":      adjustHystrix,
	"socket":       adjustSocket,
}

// undescribed answers a name that a product has and its type does not describe; "" for
// any other.
var undescribed = map[string]func(name string) string{
	"nginx": undescribedNGINX,
}

// remark notes a fact about a written setting. winner is what is in force
// instead; nil if that is the setting itself.
func (e *effective) remark(kind chain.NoticeKind, s, winner *setting, format string, args ...any) {
	n := chain.Notice{Kind: kind, Layer: e.layer, Origin: s.origin, Message: fmt.Sprintf(format, args...)}
	if winner != nil {
		n.Winner = winner.origin
	}
	e.notices = append(e.notices, n)
}

// mute takes a setting's timers and counts out of force.
func (s *setting) mute() {
	f := *s.field
	f.Limits, f.Size, f.Retry = nil, nil, nil
	s.field = &f
}

// becomes gives a setting that is not written another one's value.
func (s *setting) becomes(other *setting, note string) {
	s.state, s.raw, s.text, s.d = other.state, other.raw, other.text, other.d
	s.origin.Source, s.origin.Text, s.origin.Note = chain.Derived, other.text, note
	s.rests = other.written() || other.rests
	if other.written() {
		s.origin.StandAt(other.origin)
	}
	s.field = like(s.field, other.field)
}

// cedes makes a setting's timers those of another one, which runs beside it and fires first.
func (s *setting) cedes(to *setting) {
	f := *to.field
	f.Limits = slices.Concat(f.Limits, s.field.Limits)
	to.field = &f
	s.mute()
}

// sets gives a setting a duration that follows from something else.
func (s *setting) sets(raw any, text string) {
	s.state, s.raw, s.text = known, raw, text
	if s.field.Notation != nil {
		s.d, _ = s.field.Notation.Parse(text)
	}
}

// finite reports whether a setting is known and ends something.
func (s *setting) finite() bool {
	if s == nil || s.state != known {
		return false
	}
	d, _, ok := s.bound()
	return ok && d != chain.Never
}

// commas lets a list be written as one text with commas.
func (s *setting) commas() {
	if text, ok := s.raw.(string); ok {
		s.raw = strings.ReplaceAll(text, ",", " ")
	}
}

// also adds words to a list.
func (s *setting) also(words ...string) {
	all := slices.Concat(s.words(), words)
	s.raw = slices.Compact(all)
	s.text = strings.Join(all, " ")
}

// numbers reads counts that a product takes as texts: "3" is 3.
func (e *effective) numbers() {
	for _, s := range e.settings {
		text, isText := s.raw.(string)
		if !isText || s.field.Notation != nil || !s.field.takes("int") {
			continue
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			s.raw = n
		}
	}
}
