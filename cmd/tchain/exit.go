package main

// Exit codes. Over many stacks the highest counts. Findings never share a code
// with a failure, so that a pipeline can tell them apart.
const (
	ExitClean    = 0 // nothing to report, from --fail-on up
	ExitFindings = 1 // findings, or files that are not as they would be emitted
	ExitUsage    = 2 // bad usage, a stack that cannot be read, output that cannot be written
	ExitInternal = 3 // a defect of tchain itself
)
