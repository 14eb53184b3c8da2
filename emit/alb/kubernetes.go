package alb

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/emit"
)

const prefix = "alb.ingress.kubernetes.io/"

// kubernetes are patches for the Ingress and for the Service of each target
// group: annotations of a Service go before those of an Ingress.
func (l *layer) kubernetes() []emit.File {
	out := []emit.File{l.patch(l.file+".ingress.yaml", "networking.k8s.io/v1", "Ingress", l.name, "load-balancer-attributes", l.own)}
	for _, g := range l.groups {
		vs := append(append([]value{}, g.attrs...), g.check...)
		out = append(out, l.patch(l.file+"."+g.peer+".service.yaml", "v1", "Service", g.peer, "target-group-attributes", vs))
	}
	return out
}

func (l *layer) patch(file, version, kind, object, attrs string, vs []value) emit.File {
	var b strings.Builder
	l.header(&b, file)
	fmt.Fprintf(&b, "# A patch for Kustomize or kubectl patch --patch-file. %s is one\n# annotation: attributes of your own have to stand in it, too.\n#\n", attrs)
	l.about(&b)
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n", version, kind, emit.ObjectName(object))
	var in []string
	for _, v := range vs {
		if v.annotation == "" {
			fmt.Fprintf(&b, "    # %s: %s\n", v.key, v.comment)
			in = append(in, v.key+"="+v.text)
		}
	}
	fmt.Fprintf(&b, "    %s%s: %s\n", prefix, attrs, strings.Join(in, ","))
	for _, v := range vs {
		if v.annotation != "" {
			fmt.Fprintf(&b, "    %s%s: %q # %s\n", prefix, v.annotation, v.text, v.comment)
		}
	}
	return emit.File{Name: file, Content: []byte(b.String())}
}
