// Package conformance drives real products through the faults and compares what
// happened with what is predicted from the same settings.
//
// A [Scenario] is data: a product's own settings, the upstreams with what is
// wrong with them, the request, and the [Prediction]. A driver runs it and
// returns a [Result]; compare says where the two differ, within the tolerance of
// the product in [Tolerances]. Everything happens on loopback.
package conformance
