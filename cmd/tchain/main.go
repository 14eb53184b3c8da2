// Command tchain checks that the time budgets of a request's way fit together.
package main

import "os"

func main() {
	handleSignals()
	paceCollections()
	os.Exit(Command{os.Stdin, os.Stdout, os.Stderr}.Main(os.Args[1:]))
}
