// Package envoy writes the Envoy layers of a stack in Envoy's v3 API: the routes of a
// layer as a file that Envoy loads itself, and what belongs into the team's own
// listener and clusters. Every timer in force is written, defaults too.
package envoy
