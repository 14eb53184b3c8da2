// Package haproxy writes the HAProxy layers of a stack: a named defaults section for
// the frontends, which are the team's own, and a backend for each callee. Every
// timer in force is written, with what it falls back to where nobody wrote it, so
// that no other defaults section can move one.
package haproxy
