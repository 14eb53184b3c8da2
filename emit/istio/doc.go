// Package istio writes the Istio layers of a stack: a VirtualService with a rule for
// every route, in the order in which Istio has to look at them, and a
// DestinationRule for each callee. Every timer in force is written, defaults too.
package istio
