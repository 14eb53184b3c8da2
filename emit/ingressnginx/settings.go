package ingressnginx

import (
	"fmt"
	"regexp"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A key is one setting, and the form in which the controller takes it. A value in
// another form is replaced by the default without a word.
type key struct {
	name string
	form *regexp.Regexp
	what string // the form in words
}

var (
	seconds  = regexp.MustCompile(`^[0-9]{1,9}$`)
	switches = regexp.MustCompile(`^(on|off|true|false)$`)
	version  = regexp.MustCompile(`^1\.[01]$`)
	words    = regexp.MustCompile(`^[a-z0-9_]+( [a-z0-9_]+)*$`)
	nginx    = regexp.MustCompile(`^([0-9]+(ms|[smhdwMy])? ?)+$`)
)

const number, either, http, list, time = "a whole number without a unit", "a switch", "1.0 or 1.1", "words with spaces between", "a time of NGINX's"

// annotations are those of an Ingress:
// https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/
var annotations = []key{
	{"proxy-connect-timeout", seconds, number}, {"proxy-send-timeout", seconds, number}, {"proxy-read-timeout", seconds, number},
	{"proxy-next-upstream", words, list}, {"proxy-next-upstream-tries", seconds, number}, {"proxy-next-upstream-timeout", seconds, number},
	{"proxy-buffering", switches, either}, {"proxy-request-buffering", switches, either}, {"proxy-http-version", version, http},
}

const prefix = "nginx.ingress.kubernetes.io/"

// protocol is how the callee is spoken to, where it is not the controller's default,
// HTTP without TLS. As every annotation it holds for all paths of an Ingress:
// https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#backend-protocol
func protocol(h emit.Hop) string {
	call := h.Callee()
	if call == nil {
		return ""
	}
	grpc := h.Route.Protocol == "grpc"
	name, from := "", ""
	switch {
	case grpc && call.TLS:
		name, from = "GRPCS", "a route of gRPC, and "+call.To.Layer+" uses TLS"
	case grpc:
		name, from = "GRPC", "a route of gRPC"
	case call.TLS:
		name, from = "HTTPS", call.To.Layer+" uses TLS"
	default:
		return ""
	}
	return fmt.Sprintf("    %sbackend-protocol: %q # %s\n", prefix, name, from)
}

// controller are those that only the ConfigMap has:
// https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/
var controller = []key{
	{"client-header-timeout", seconds, number}, {"client-body-timeout", seconds, number}, {"keep-alive", seconds, number}, {"keep-alive-requests", seconds, number},
	{"upstream-keepalive-connections", seconds, number}, {"upstream-keepalive-timeout", seconds, number}, {"upstream-keepalive-time", nginx, time},
	{"upstream-keepalive-requests", seconds, number}, {"worker-shutdown-timeout", nginx, time}, {"retry-non-idempotent", switches, either},
}

// pairs are the keys that the stack has a value for; Kubernetes takes strings only.
func pairs(h emit.Hop, indent, prefix string, keys []key, c *emit.Collector) string {
	var b strings.Builder
	for _, k := range keys {
		for _, s := range h.Node.Settings {
			if s.Origin.ID == "ingressNginx."+k.name && s.Value != "" {
				k.check(s, c)
				fmt.Fprintf(&b, "%s%s%s: %q # %s\n", indent, prefix, k.name, s.Value, emit.From(s.Origin))
			}
		}
	}
	return b.String()
}

func (k key) check(s chain.Setting, c *emit.Collector) {
	if !k.form.MatchString(s.Value) {
		c.Refuse(emit.Refuse(target, s.Origin, "it is %s", k.what))
	}
}
