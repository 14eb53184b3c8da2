package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"tchain.dev/tchain/chain"
)

// A Row is one line of the table of what is proved. It holds no observed time,
// so that it is the same after every run that agrees.
type Row struct {
	Product   string `json:"product"`
	Version   string `json:"version"`
	Scenario  string `json:"scenario"`
	Predicted string `json:"predicted"`
	Observed  string `json:"observed"` // "agrees", or where it differs
	OK        bool   `json:"ok"`
}

var recorded struct {
	sync.Mutex
	rows map[[2]string]Row // by product and scenario
}

// record keeps the row of a run for Rows.
func record(s Scenario, version string, differences []string) {
	row := Row{Product: s.Product, Version: version, Scenario: s.Name, Predicted: s.Predict.String(), Observed: "agrees", OK: len(differences) == 0}
	if !row.OK {
		row.Observed = strings.Join(differences, "; ")
	}
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.rows == nil {
		recorded.rows = map[[2]string]Row{}
	}
	recorded.rows[[2]string{s.Product, s.Name}] = row
}

// Rows are the runs of this process, in the order of Scenarios.
func Rows() []Row {
	recorded.Lock()
	defer recorded.Unlock()
	return inOrder(recorded.rows)
}

func inOrder(from map[[2]string]Row) []Row {
	out := []Row{}
	for _, s := range Scenarios() {
		if row, ok := from[[2]string{s.Product, s.Name}]; ok {
			out = append(out, row)
		}
	}
	return out
}

// writeRows writes the rows to a JSON file. Those of a product whose scenarios
// did not all run stay as they were.
func writeRows(path string, rows []Row) error {
	merged := map[[2]string]Row{}
	old, err := os.ReadFile(path)
	if err == nil {
		var before []Row
		if err := json.Unmarshal(old, &before); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, row := range before {
			merged[[2]string{row.Product, row.Scenario}] = row
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	missing := map[string]int{}
	for _, s := range Scenarios() {
		missing[s.Product]++
	}
	for _, row := range rows {
		missing[row.Product]--
	}
	for _, row := range rows {
		if missing[row.Product] == 0 {
			merged[[2]string{row.Product, row.Scenario}] = row
		}
	}
	text, err := json.MarshalIndent(inOrder(merged), "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// String is the prediction for people: "504 from nginx at 4s by
// proxy_read_timeout, 2 attempts".
func (p Prediction) String() string {
	var b strings.Builder
	switch at := chain.Format(time.Duration(p.ElapsedMS) * time.Millisecond); {
	case p.Running && p.Status == 0:
		b.WriteString("nothing comes, without end")
	case p.Running:
		fmt.Fprintf(&b, "%d, without end", p.Status)
	case p.Cut:
		fmt.Fprintf(&b, "%d from %s, cut at %s", p.Status, p.By, at)
	case p.ElapsedMS == 0:
		fmt.Fprintf(&b, "%d from %s at once", p.Status, p.By)
	default:
		fmt.Fprintf(&b, "%d from %s at %s", p.Status, p.By, at)
	}
	if p.Setting != "" {
		b.WriteString(" by " + p.Setting)
	}
	if p.Attempts == 1 {
		b.WriteString(", 1 attempt")
	} else {
		fmt.Fprintf(&b, ", %d attempts", p.Attempts)
	}
	return b.String()
}
