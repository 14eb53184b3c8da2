// Package check holds the rules: what makes a slow dependency into an outage,
// one file a rule. A rule is metadata and a pure function from a resolved
// stack to findings.
//
// It knows no CUE, reads no file and names no product: all it knows of a
// product is in the limits, policies and origins of package chain.
package check
