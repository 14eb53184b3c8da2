// Package chain is the timing model: what every timer on a request's way does,
// who gives up first under each fault, and how long each layer can take at worst.
//
// It is pure. It computes with integer nanoseconds, has no clock, does no I/O
// and iterates no map into its output: the same input gives the same output on
// every run. It imports nothing of the project and knows no product by name;
// a product is the set of limits, answers and retry policies that the compile
// package read from the catalogue.
//
// The words: a [Route] is a tree of [Node] values, the outermost caller at its
// root. A node reaches the next one by a [Call]. A [Limit] is a timer of either
// side of a call. A [Fault] is one thing going wrong at one place, [Play] says
// what then happens, and [Worst] says how long a node can take when no fault is
// named: the two are never mixed.
package chain
