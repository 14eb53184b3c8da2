// Package ingressnginx writes the ingress-nginx layers of a stack: the annotations of
// its Ingresses, and what only the controller's ConfigMap can say. Every timer in
// force is written, defaults too.
package ingressnginx
