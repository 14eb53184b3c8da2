package conformance

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/internal/retake"
)

// The row that no scenario can have: the callee is deaf to the first dial only. A
// request gives that one up, and the next finds no place until Dialer.Timeout ends it.
func TestADialThatIsGivenUpOnKeepsItsPlaceOfMaxConnsPerHost(t *testing.T) {
	retake.Test(t, aDialIsGivenUpOn)
}

func aDialIsGivenUpOn(t testing.TB) {
	deaf, err := fault.Start(fault.Config{Mode: fault.Backlog})
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	well, err := fault.Start(fault.Config{Mode: fault.OK})
	if err != nil {
		t.Fatal(err)
	}
	defer well.Close()

	dialer, dials := net.Dialer{Timeout: 1500 * time.Millisecond}, atomic.Int32{}
	transport := &http.Transport{MaxConnsPerHost: 1, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		to := well.Port()
		if dials.Add(1) == 1 {
			to = deaf.Port()
		}
		return dialer.DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", to))
	}}
	defer transport.CloseIdleConnections()
	begun := time.Now()
	get := func(within time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://callee.test/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(200 * time.Millisecond); err == nil {
		t.Error("a deaf callee is connected to")
	}
	if err := get(500 * time.Millisecond); err == nil || dials.Load() != 1 {
		t.Errorf("the dial that was given up on keeps no place: %v after %d dials", err, dials.Load())
	}
	if err := get(10 * time.Second); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took < dialer.Timeout-Tolerances[goKey].Early {
		t.Errorf("there is a place after %s, before Dialer.Timeout %s ends the dial", took, dialer.Timeout)
	}
}
