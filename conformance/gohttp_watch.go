package conformance

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// A watcher is a server that works and sees how long its connections stay idle.
type watcher struct {
	server *httptest.Server
	mu     sync.Mutex
	n      int
	since  time.Time // the connection was idle from here on
	kept   time.Duration
	closed chan struct{}
	once   sync.Once
}

// startWatcher starts a watcher that announces a keep-alive time, as the value
// of the header; "" announces none.
func startWatcher(announce string) *watcher {
	w := &watcher{closed: make(chan struct{})}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		w.mu.Lock()
		w.n++
		w.mu.Unlock()
		if announce != "" {
			rw.Header().Set("Keep-Alive", announce)
			rw.Header().Set("Connection", "keep-alive")
		}
		rw.Write([]byte("OK\n"))
	}))
	w.server.Config.ConnState = w.state
	w.server.Start()
	return w
}

func (w *watcher) state(_ net.Conn, state http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case state == http.StateIdle:
		w.since = time.Now()
	case state == http.StateClosed && w.n > 0:
		w.once.Do(func() {
			if !w.since.IsZero() {
				w.kept = time.Since(w.since)
			}
			close(w.closed)
		})
	}
}

func (w *watcher) addr() string { return w.server.Listener.Addr().String() }

func (w *watcher) requests() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

// idle waits until the connection of an answered request is closed, and writes
// how long that took; running is for one that is kept.
func (w *watcher) idle(r *Result, s BlockScenario) {
	select {
	case <-w.closed:
		w.mu.Lock()
		defer w.mu.Unlock()
		r.ElapsedMS, r.Setting = int(w.kept.Milliseconds()), s.Predict.Setting
	case <-time.After(s.observe()):
		r.Running, r.By = true, ""
	}
}

func (w *watcher) close() {
	w.server.CloseClientConnections()
	w.server.Close()
}
