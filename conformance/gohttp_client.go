package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// goKey is net/http in the catalogue, client and server.
const goKey = "gohttp"

// goTime is a duration as Go writes it; written says that it is there.
type goTime struct {
	d       time.Duration
	written bool
}

func (t *goTime) UnmarshalText(text []byte) (err error) {
	t.d, err = time.ParseDuration(string(text))
	t.written = true
	return err
}

// goClientBlock is the block of the catalogue's Go client.
type goClientBlock struct {
	Context          struct{ Timeout goTime } `json:"context"`
	Timeout          goTime
	Transport        *goTransportBlock
	DefaultTransport *goTransportBlock
}

type goTransportBlock struct {
	Dialer                                                      struct{ Timeout goTime }
	TLSHandshakeTimeout, ResponseHeaderTimeout, IdleConnTimeout goTime
	MaxIdleConns, MaxIdleConnsPerHost, MaxConnsPerHost          *int
	DisableKeepAlives, ForceAttemptHTTP2                        *bool
}

// client is the http.Client that the block means, with a transport of its own.
func (b goClientBlock) client(env *goEnvironment) *http.Client {
	set := b.Transport
	t := &http.Transport{}
	dialer := &net.Dialer{}
	if set == nil {
		t = http.DefaultTransport.(*http.Transport).Clone()
		dialer.Timeout = 30 * time.Second
		set = b.DefaultTransport
	}
	if set == nil {
		set = &goTransportBlock{}
	}
	put := func(to *time.Duration, v goTime) {
		if v.written {
			*to = v.d
		}
	}
	put(&dialer.Timeout, set.Dialer.Timeout)
	put(&t.TLSHandshakeTimeout, set.TLSHandshakeTimeout)
	put(&t.ResponseHeaderTimeout, set.ResponseHeaderTimeout)
	put(&t.IdleConnTimeout, set.IdleConnTimeout)
	count := func(to *int, v *int) {
		if v != nil {
			*to = *v
		}
	}
	count(&t.MaxIdleConns, set.MaxIdleConns)
	count(&t.MaxIdleConnsPerHost, set.MaxIdleConnsPerHost)
	count(&t.MaxConnsPerHost, set.MaxConnsPerHost)
	if set.DisableKeepAlives != nil {
		t.DisableKeepAlives = *set.DisableKeepAlives
	}
	dialer.Resolver = env.resolver
	t.DialContext = dialer.DialContext
	t.Proxy = nil
	t.TLSClientConfig = env.tls
	c := &http.Client{Transport: t}
	put(&c.Timeout, b.Timeout)
	return c
}

// driveGoClient runs a scenario of the Go client in this process.
func driveGoClient(s BlockScenario) (Result, error) {
	var block goClientBlock
	if err := json.Unmarshal(s.Block, &block); err != nil {
		return Result{}, err
	}
	env, err := newGoEnvironment(s)
	if err != nil {
		return Result{}, err
	}
	defer env.close()
	client := block.client(env)
	defer client.CloseIdleConnections()
	for range s.Before {
		resp, err := client.Get(env.url)
		if err != nil {
			return Result{}, err
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range s.Occupy {
		go goOnce(ctx, &http.Client{Transport: client.Transport}, s, env.url, goTime{})
	}
	if s.Occupy > 0 {
		env.occupied(s.Occupy)
	}
	before := env.seen()
	if !s.Idle {
		ctx, cancel = context.WithTimeoutCause(ctx, s.observe(), errObserved)
		defer cancel()
	}
	r := goOnce(ctx, client, s, env.url, block.Context.Timeout)
	r.Product, r.Version = s.Product, strings.TrimPrefix(runtime.Version(), "go")
	if s.Idle {
		env.watch.idle(&r, s)
	}
	r.Seen = env.seen().Minus(before)
	r.Attempts = r.Seen.Requests
	return r, nil
}

var errObserved = errors.New("the observation is over")

// goOnce is one request with its body read to the end.
func goOnce(ctx context.Context, client *http.Client, s BlockScenario, url string, limit goTime) Result {
	r := Result{Native: map[string]string{}}
	begin := time.Now()
	observed := ctx
	if limit.written {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit.d)
		defer cancel()
	}
	var body io.Reader
	if s.BodyBytes > 0 {
		body = strings.NewReader(strings.Repeat("b", s.BodyBytes))
	}
	req, err := http.NewRequestWithContext(ctx, s.method(), url, body)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	resp, err := client.Do(req)
	if err == nil {
		r.Status = resp.StatusCode
		r.Bytes, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	r.ElapsedMS = int(time.Since(begin).Milliseconds())
	r.By = goKey
	if r.Status != 0 {
		r.By = Upstream
	}
	if err == nil {
		return r
	}
	r.Error = err.Error()
	if context.Cause(observed) == errObserved {
		r.Running, r.By = true, ""
		return r
	}
	r.Cut = r.Status != 0
	r.Setting, r.Native["fails"] = goFailure(err, limit, r.Cut)
	return r
}

// goFailure reads an error of the client: the setting whose time was up, as it
// stands in a block, and the class of failure.
func goFailure(err error, limit goTime, cut bool) (setting, class string) {
	text := err.Error()
	for _, known := range []struct{ part, setting string }{
		{"Client.Timeout", "Timeout"},
		{"TLS handshake timeout", "Transport.TLSHandshakeTimeout"},
		{"timeout awaiting response headers", "Transport.ResponseHeaderTimeout"},
		{"i/o timeout", "Transport.Dialer.Timeout"},
	} {
		// Client.Timeout's own words in a body are also those of a context that was cancelled.
		if strings.Contains(text, known.part) && !(limit.written && strings.Contains(text, "or context cancellation")) {
			return known.setting, FailsTimeout
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded) && limit.written:
		return "context.timeout", FailsTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return "", FailsRefused
	case cut:
		return "", FailsCut
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE), errors.Is(err, os.ErrClosed), strings.Contains(text, "closed idle connection"):
		return "", FailsBroken
	}
	return "", fmt.Sprintf("%T", err)
}
