// Command cmd brings the jars that the JVM's conformance runs need from Maven
// Central, once, and says that it did. Afterwards the runs need no network.
package main

import (
	"fmt"
	"os"

	"tchain.dev/tchain/conformance/jvm"
)

func main() {
	fetched, err := jvm.Fetch()
	if err != nil {
		fmt.Fprintln(os.Stderr, "jvm:", err)
		os.Exit(1)
	}
	if fetched {
		fmt.Println("jvm: fetched the jars of", jvm.Variants())
	}
}
