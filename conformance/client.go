package conformance

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"tchain.dev/tchain/conformance/fault"
)

// get makes the request of a scenario as a plain client with no limits of its
// own, over a connection of its own, until the response or the observation ends.
func get(addr, path string, s Scenario) Result {
	r := Result{Prediction: Prediction{FirstByteMS: NoByte}}
	begin := time.Now()
	since := func() int { return int(time.Since(begin).Milliseconds()) }
	ctx, cancel := context.WithTimeout(context.Background(), s.observe())
	defer cancel()
	first := make(chan int, 1)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { first <- since() }})
	transport := &http.Transport{DisableKeepAlives: true, Proxy: nil}
	defer transport.CloseIdleConnections()

	var body io.Reader
	if s.BodyBytes > 0 {
		body = strings.NewReader(strings.Repeat("b", s.BodyBytes))
	}
	req, err := http.NewRequestWithContext(ctx, s.method(), "http://"+addr+path, body)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	resp, err := transport.RoundTrip(req)
	if err == nil {
		r.Status = resp.StatusCode
		if resp.Header.Get(fault.Header) != "" {
			r.By = Upstream
		}
		r.Bytes, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	r.ElapsedMS = since()
	select {
	case r.FirstByteMS = <-first:
	default:
	}
	if err != nil {
		r.Error = err.Error()
		r.Running = errors.Is(err, context.DeadlineExceeded)
		r.Cut = !r.Running && r.Status != 0
	}
	return r
}
