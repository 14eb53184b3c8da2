package conformance

import "strings"

// recordJVM keeps the row of a run for Rows.
func recordJVM(s JVMScenario, variant, version string, p JVMPrediction, differences []string) {
	row := Row{Product: s.Product, Version: version, Scenario: s.row(variant), Predicted: p.String(), Observed: "agrees", OK: len(differences) == 0}
	if !row.OK {
		row.Observed = strings.Join(differences, "; ")
	}
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.rows == nil {
		recorded.rows = map[[2]string]Row{}
	}
	recorded.rows[[2]string{row.Product, row.Scenario}] = row
}

// JVMRows are the scenarios of the JVM in the form in which Rows orders and
// counts them: one for each variant.
func JVMRows() []Scenario {
	var out []Scenario
	for _, product := range jvmProducts {
		for _, s := range JVMScenarios() {
			for _, variant := range s.On {
				if s.Product == product {
					out = append(out, Scenario{Product: product, Name: s.row(variant)})
				}
			}
		}
	}
	for _, s := range tomcatScenarios {
		for _, variant := range boots {
			out = append(out, Scenario{Product: "tomcat", Name: JVMScenario{Name: s.name}.row(variant)})
		}
	}
	return out
}
