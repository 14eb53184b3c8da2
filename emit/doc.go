// Package emit turns a resolved stack into files for a product: NGINX blocks,
// Go clients and the like. What was checked is what is written.
//
// A target reads package chain and knows its own product, no other. It rounds
// nothing: a value that its product cannot hold is a [Refusal] that names the
// setting and the target. The same stack gives the same bytes on every run.
//
// The targets themselves are listed in package emit/targets.
package emit
