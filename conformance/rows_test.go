package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRowsOfAPartialRunAreNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "last-run.json")
	var all []Row
	for _, s := range Scenarios() {
		all = append(all, Row{Product: s.Product, Version: "1", Scenario: s.Name, Predicted: s.Predict.String(), Observed: "agrees", OK: true})
	}
	if err := writeRows(path, all); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	partial := []Row{all[0]}
	partial[0].Version = "2"
	if err := writeRows(path, partial); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) || strings.Count(string(after), "agrees") != len(all) {
		t.Errorf("the file is now\n%s", after)
	}
}

func TestAPredictionReadsAsASentence(t *testing.T) {
	for want, p := range map[string]Prediction{
		"504 from nginx at 4s by proxy_read_timeout, 2 attempts":          {Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
		"502 from nginx at once, 0 attempts":                              {Status: 502, By: NGINX},
		"200 from upstream, cut at 2.5s by proxy_read_timeout, 1 attempt": {Status: 200, By: Upstream, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2500, Cut: true},
		"200, without end, 1 attempt":                                     {Status: 200, Attempts: 1, Running: true},
		"nothing comes, without end, 1 attempt":                           {Attempts: 1, Running: true},
	} {
		if got := p.String(); got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}
