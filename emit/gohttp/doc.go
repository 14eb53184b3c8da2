// Package gohttp writes the clients of a stack's apps as Go: for each app a file
// of values, in which a changed number is a changed line, and beside it one
// mechanism that is the same in every repository and needs the standard library
// only.
//
// The limits of a client are taken by what they bound, whatever product the
// stack describes. What net/http and the mechanism cannot bound is refused by
// name where somebody wrote it, and a warning where it is a default.
package gohttp
