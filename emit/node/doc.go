// Package node writes the parts of a stack that run on Node.js and in browsers as
// TypeScript: for each app a file of values beside two mechanisms that are the same
// in every repository, one of Node's own http and one of undici; the timers of an
// app's http.Server; and for each browser a fetch that ends at its route's limit.
//
// The limits of a client are taken by what they bound, whatever product the stack
// describes.
package node
