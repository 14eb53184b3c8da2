// Package compile turns stacks in CUE, YAML or JSON into resolved chain
// stacks: it finds and reads them, checks them against the catalogue, and works
// out the value in force for every timer, with its origin.
//
// What it must not know: rules, faults, and anything about a product that the
// catalogue can say. Only a resolver file may name a product, and only where
// several of its settings compete for one timer.
package compile
