package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

const ms = time.Millisecond

// usual are limits that no test runs into by itself.
func usual() Limits {
	return Limits{PoolSize: 4, PoolWait: 2 * time.Second, Connect: time.Second, TLS: time.Second, Header: 2 * time.Second,
		Gap: 2 * time.Second, PerCall: 5 * time.Second, Idle: time.Second}
}

// A world is an in-process server that goes wrong as its path says.
type world struct {
	*httptest.Server
	h2    bool
	quit  chan struct{}
	conns atomic.Int64 // opened
	shut  atomic.Int64 // closed
}

func newWorld(t *testing.T, h2 bool) *world {
	w := &world{h2: h2, quit: make(chan struct{})}
	w.Server = httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	w.Config.ErrorLog = log.New(io.Discard, "", 0)
	w.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			w.conns.Add(1)
		case http.StateClosed:
			w.shut.Add(1)
		}
	}
	if h2 {
		w.EnableHTTP2 = true
		w.StartTLS()
	} else {
		w.Start()
	}
	t.Cleanup(func() { close(w.quit); w.CloseClientConnections(); w.Close() })
	return w
}

func (w *world) client(l Limits) *http.Client {
	return Client(l, func(t *http.Transport) {
		if w.h2 {
			t.TLSClientConfig = w.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		}
	})
}

func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	if want := map[bool]int{false: 1, true: 2}[w.h2]; r.ProtoMajor != want {
		http.Error(rw, "wrong protocol "+r.Proto, 500)
		return
	}
	pause := func(d time.Duration) bool {
		select {
		case <-time.After(d):
			return true
		case <-r.Context().Done():
		case <-w.quit:
		}
		return false
	}
	every := func(d time.Duration, n int) {
		for range n {
			fmt.Fprint(rw, "x")
			rw.(http.Flusher).Flush()
			if !pause(d) {
				return
			}
		}
	}
	switch r.URL.Path {
	case "/silent":
		pause(time.Hour)
	case "/stall":
		every(time.Hour, 1)
	case "/drip":
		every(20*ms, 1000)
	case "/slow":
		every(60*ms, 6)
	case "/empty":
		rw.WriteHeader(204)
	case "/redirect":
		pause(200 * ms)
		http.Redirect(rw, r, "/redirect", 302)
	default:
		io.Copy(io.Discard, r.Body)
		fmt.Fprint(rw, "fine")
	}
}

// fetch reads a whole response and says how long that took.
func fetch(ctx context.Context, c *http.Client, url string) (string, time.Duration, error) {
	start := time.Now()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return "", 0, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", time.Since(start), err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), time.Since(start), err
}

func wantAt(t *testing.T, what string, err, want error, took, at time.Duration) {
	t.Helper()
	if !errors.Is(err, want) || took < at-20*ms || took > at+600*ms {
		t.Errorf("%s: %v after %v, want %v after %v", what, err, took, want, at)
	}
	var timeout interface{ Timeout() bool }
	if err != nil && want != context.Canceled && (!errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout()) {
		t.Errorf("%s: %v is no timeout", what, err)
	}
}

func both(t *testing.T, f func(t *testing.T, w *world)) {
	for _, h2 := range []bool{false, true} {
		t.Run(map[bool]string{false: "http1", true: "http2"}[h2], func(t *testing.T) {
			t.Parallel()
			f(t, newWorld(t, h2))
		})
	}
}

func wantFree(t *testing.T, c *http.Client) {
	t.Helper()
	if n := len(c.Transport.(*transport).pool); n != 0 {
		t.Errorf("%d places are not given back", n)
	}
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Second); !f(); time.Sleep(10 * ms) {
		if time.Now().After(end) {
			t.Errorf("%s: not within 2s", what)
			return
		}
	}
}
