package format

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/diff"
)

// schemaVersion changes only when a field goes or changes its meaning; a new
// field does not change it. docs/json.md describes every field.
const schemaVersion = 1

type jsonOutput struct {
	SchemaVersion int              `json:"schemaVersion"`
	Findings      []jsonFinding    `json:"findings"`
	Errors        []jsonError      `json:"errors"`
	NotChecked    []jsonNotChecked `json:"notChecked"`
	Skipped       []jsonSkip       `json:"skipped"`
	Moved         []diff.Pair      `json:"moved,omitempty"`
}

type jsonSkip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Stack    string `json:"stack"`
	Owner    string `json:"owner"`
	jsonRange
	Routes      []string      `json:"routes"`
	Layer       string        `json:"layer"`
	Setting     string        `json:"setting"`
	Message     string        `json:"message"`
	Label       string        `json:"label"`
	Related     []jsonRelated `json:"related"`
	Fault       string        `json:"fault"`
	Trace       []jsonEvent   `json:"trace"`
	Outcome     *jsonOutcome  `json:"outcome"`
	Fixes       []jsonFix     `json:"fixes"`
	Fingerprint string        `json:"fingerprint"`
}

type jsonRange struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type jsonRelated struct {
	jsonRange
	Message string `json:"message"`
}

type jsonEvent struct {
	At      string `json:"at"`
	Layer   string `json:"layer"`
	Setting string `json:"setting"`
	Event   string `json:"event"`
}

type jsonOutcome struct {
	Status *int   `json:"status"`
	Error  string `json:"error"`
	From   string `json:"from"`
	At     string `json:"at"`
	Cut    bool   `json:"cut"`
	Unless string `json:"unless"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	File    string       `json:"file"`
	Start   jsonPosition `json:"start"`
	End     jsonPosition `json:"end"`
	NewText string       `json:"newText"`
}

type jsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type jsonError struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type jsonNotChecked struct {
	Stack   string `json:"stack"`
	Route   string `json:"route"`
	Layer   string `json:"layer"`
	Setting string `json:"setting"`
	Reason  string `json:"reason"`
}

func rangeJSON(r chain.Range) jsonRange {
	return jsonRange{r.File, r.Line, r.Column, r.EndLine, r.EndColumn}
}
