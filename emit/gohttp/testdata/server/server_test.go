package upstream

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestValues(t *testing.T) {
	s := ApiServer(http.NewServeMux())
	if s.ReadHeaderTimeout != 5*time.Second || s.ReadTimeout != 10*time.Second || s.WriteTimeout != 2*time.Second || s.IdleTimeout != -time.Second || s.Handler == nil {
		t.Errorf("got %+v", s)
	}
}

// both runs f against the emitted server on HTTP/1.1 and on HTTP/2.
func both(t *testing.T, mux *http.ServeMux, f func(t *testing.T, url string, c *http.Client)) {
	for _, h2 := range []bool{false, true} {
		t.Run(map[bool]string{false: "HTTP1", true: "HTTP2"}[h2], func(t *testing.T) {
			s := httptest.NewUnstartedServer(nil)
			s.Config = ApiServer(mux)
			s.EnableHTTP2 = h2
			s.StartTLS()
			t.Cleanup(s.Close)
			f(t, s.URL, s.Client())
		})
	}
}

func TestEachRouteHasItsLimits(t *testing.T) {
	mux := http.NewServeMux()
	gone := make(chan error, 8)
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			gone <- r.Context().Err()
		case <-time.After(600 * time.Millisecond):
		}
		io.WriteString(w, "done")
	})
	for route, l := range ApiRoutes {
		mux.Handle(route, l.Limit(slow))
	}
	both(t, mux, func(t *testing.T, url string, c *http.Client) {
		for _, tc := range []struct {
			path, want string // want is "" where no answer comes
			status     int
		}{
			{"/quick", "", 0},
			{"/report", "done", 200},
			{"/handled", "", 503},
			{"/report", "done", 200},
		} {
			began := time.Now()
			resp, err := c.Get(url + tc.path)
			if tc.status == 0 {
				if err == nil {
					resp.Body.Close()
					t.Errorf("%s: answered %s after its WriteTimeout", tc.path, resp.Status)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.path, err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != tc.status || !strings.HasPrefix(string(body), tc.want) {
				t.Errorf("%s: %s %q, %v", tc.path, resp.Status, body, err)
			}
			if took := time.Since(began); tc.status == 503 && (took < 200*time.Millisecond || took > 500*time.Millisecond) {
				t.Errorf("%s: 503 after %v", tc.path, took)
			}
			if tc.status == 503 {
				if err := <-gone; !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
					t.Errorf("%s: the handler's context: %v", tc.path, err)
				}
			}
		}
	})
}

// A wrapper without Unwrap keeps the server's own limit, and that is told.
func TestAWriterWithoutUnwrap(t *testing.T) {
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	h := ApiRoutes["GET /quick"].Limit(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "done") }))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/quick", nil))
	if w.Body.String() != "done" || !strings.Contains(log.String(), "WriteTimeout holds") {
		t.Errorf("%q, log %q", w.Body, log.String())
	}
}
