// Package reportpage looks at the page of tchain report in a real browser: what a
// person can do with it, by hand, by keyboard and by ear. It holds tests alone,
// beside the other runs that need what `make test` brings.
package reportpage
