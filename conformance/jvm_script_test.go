package conformance

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"tchain.dev/tchain/conformance/fault"
)

// A jvmScripted does what a script says, and counts as the fault server does.
// It stands here until that one can be told to work at first, to announce a
// keep-alive time and to send a body in pieces.
type jvmScripted struct {
	*httptest.Server
	mu     sync.Mutex
	counts fault.Counts
	done   chan struct{}
}

func startScript(s *jvmScript) *jvmScripted {
	out := &jvmScripted{done: make(chan struct{})}
	out.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		out.mu.Lock()
		step := s.Steps[min(out.counts.Requests, len(s.Steps)-1)]
		out.counts.Requests++
		out.mu.Unlock()
		w.Header().Set(fault.Header, "script")
		if s.KeepAlive != "" {
			w.Header().Set("Keep-Alive", s.KeepAlive)
		}
		out.play(step, w, q)
	}))
	out.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew {
			out.mu.Lock()
			out.counts.Connections++
			out.mu.Unlock()
		}
	}
	if s.TLS {
		out.StartTLS()
	} else {
		out.Start()
	}
	return out
}

func (s *jvmScripted) play(step jvmStep, w http.ResponseWriter, q *http.Request) {
	s.wait(step.AfterMS, q)
	switch {
	case step.Silent:
		s.wait(60_000, q)
	case step.Close:
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	case step.Pieces > 0:
		w.Header().Set("Content-Length", strconv.Itoa(step.Pieces))
		w.(http.Flusher).Flush()
		for range step.Pieces {
			s.wait(step.EveryMS, q)
			w.Write([]byte("a"))
			w.(http.Flusher).Flush()
		}
	case step.Status != 0:
		w.WriteHeader(step.Status)
	default:
		w.Write([]byte("ok\n"))
	}
}

// wait waits, unless one of the two sides ends before.
func (s *jvmScripted) wait(ms int, q *http.Request) {
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-q.Context().Done():
	case <-s.done:
	}
}

// Port is where it listens.
func (s *jvmScripted) Port() int { return s.Listener.Addr().(*net.TCPAddr).Port }

// Counts is what it saw so far.
func (s *jvmScripted) Counts() fault.Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Close ends it.
func (s *jvmScripted) Close() {
	close(s.done)
	s.CloseClientConnections()
	s.Server.Close()
}
