// Package schema holds the language and the catalogue: CUE files, one a
// product, embedded. It must hold no code that knows a product.
package schema

import "embed"

// FS is the CUE module tchain.dev/schema@v0.
//
//go:embed *.cue cue.mod/module.cue
var FS embed.FS
