package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"tchain.dev/tchain/conformance/fault"
)

func TestConfigurationsAreReadFromInputAndCountsAreAnswered(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	end := make(chan error)
	go func() { end <- run(context.Background(), []string{"-json"}, in, out) }()

	fmt.Fprintln(toServer, `[{"mode":"ok"},{"mode":"unavailable","retryAfter":"3"}]`)
	answers := json.NewDecoder(bufio.NewReader(fromServer))
	var places []place
	if err := answers.Decode(&places); err != nil || len(places) != 2 {
		t.Fatalf("places are %v, %v", places, err)
	}
	resp, err := http.Get(fmt.Sprintf("http://%s:%d/", places[1].Host, places[1].Port))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "3" {
		t.Errorf("answered %d %v", resp.StatusCode, resp.Header)
	}
	fmt.Fprintln(toServer, `"counts"`)
	var counts []fault.Counts
	if err := answers.Decode(&counts); err != nil || counts[0].Requests != 0 || counts[1].Requests != 1 {
		t.Errorf("counts are %v, %v", counts, err)
	}
	toServer.Close()
	if err := <-end; err != nil {
		t.Error(err)
	}
}

func TestFlagsStartOneServer(t *testing.T) {
	var out strings.Builder
	err := run(context.Background(), []string{"-mode", "silent", "-tls", "-for", "10ms"}, strings.NewReader(""), &out)
	var places []place
	if err != nil || json.Unmarshal([]byte(out.String()), &places) != nil || len(places) != 1 || places[0].Certificate == "" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
	if err := run(context.Background(), []string{"-mode", "sleepy"}, strings.NewReader(""), &out); err == nil {
		t.Error("an unknown mode is taken")
	}
}
