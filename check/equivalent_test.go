package check_test

// equivalent are the mutants that no test can tell from the rule, by the reason.
var equivalent = map[string][]string{}
