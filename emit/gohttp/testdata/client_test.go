package upstream

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		for _, tc := range []struct {
			path   string
			change func(*Limits)
			want   error
			at     time.Duration
		}{
			{"/silent", func(l *Limits) { l.Header = 200 * ms }, ErrHeader, 200 * ms},
			{"/silent", func(l *Limits) { l.PerCall = 200 * ms }, ErrPerCall, 200 * ms},
			{"/stall", func(l *Limits) { l.Gap = 200 * ms }, ErrGap, 200 * ms},
			{"/drip", func(l *Limits) { l.Gap, l.PerCall = 200*ms, 300*ms }, ErrPerCall, 300 * ms},
			{"/slow", func(l *Limits) { l.Gap, l.Header = 200*ms, 200*ms }, nil, 360 * ms},
			{"/redirect", func(l *Limits) { l.PerCall = 500 * ms }, ErrPerCall, 500 * ms},
			{"/", func(l *Limits) { *l = Limits{Connect: time.Second} }, nil, 0},
		} {
			l := usual()
			tc.change(&l)
			_, took, err := fetch(t.Context(), w.client(l), w.URL+tc.path)
			wantAt(t, tc.path, err, tc.want, took, tc.at)
		}
	})
}

func TestRedirects(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if n, _ := strconv.Atoi(req.URL.Path[1:]); n > 0 {
			http.Redirect(w, req, "/"+strconv.Itoa(n-1), http.StatusFound)
		}
	}))
	defer server.Close()
	for _, tc := range []struct {
		redirects, asked int
		ok               bool
	}{{0, 9, true}, {0, 10, false}, {2, 2, true}, {2, 3, false}, {None, 0, true}, {None, 1, false}} {
		l := usual()
		l.Redirects = tc.redirects
		resp, err := Client(l).Get(server.URL + "/" + strconv.Itoa(tc.asked))
		if (err == nil) != tc.ok {
			t.Errorf("Redirects %d, %d asked for: %v", tc.redirects, tc.asked, err)
		}
		if resp != nil {
			resp.Body.Close()
		}
	}
}

func TestConnectionsAreKeptAndTestedAsTheLimitsSay(t *testing.T) {
	at := func(l Limits) *http.Transport { return Client(l).Transport.(*transport).base }
	l := Limits{Connect: time.Second, PoolSize: 9}
	if b := at(l); b.MaxIdleConnsPerHost != 9 || b.MaxIdleConns != 0 || b.ExpectContinueTimeout != 0 || !reflect.DeepEqual(*b.HTTP2, http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second}) {
		t.Errorf("unset: %+v, %+v", b, b.HTTP2)
	}
	l.IdlePerHost, l.IdleTotal, l.Continue, l.Ping, l.PingWait, l.WriteByte = 2, 100, 250*ms, 3*time.Second, 2*time.Second, time.Second
	if b := at(l); b.MaxIdleConnsPerHost != 2 || b.MaxIdleConns != 100 || b.ExpectContinueTimeout != 250*ms || !reflect.DeepEqual(*b.HTTP2, http.HTTP2Config{SendPingTimeout: 3 * time.Second, PingTimeout: 2 * time.Second, WriteByteTimeout: time.Second}) {
		t.Errorf("set: %+v, %+v", b, b.HTTP2)
	}
	if l.Ping = Off; at(l).HTTP2.SendPingTimeout != 0 {
		t.Error("Ping is not Off")
	}
}

func TestCallersContext(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		l := usual()
		l.Reserve = 200 * ms
		c := w.client(l)
		for _, path := range []string{"/silent", "/drip"} {
			ctx, cancel := context.WithTimeout(t.Context(), 500*ms)
			_, took, err := fetch(ctx, c, w.URL+path)
			wantAt(t, path, err, ErrNoTime, took, 300*ms)
			cancel()
		}
		before := w.conns.Load()
		ctx, cancel := context.WithTimeout(t.Context(), 150*ms)
		defer cancel()
		body := &closed{Reader: strings.NewReader("x")}
		req, _ := http.NewRequestWithContext(ctx, "POST", w.URL, body)
		start := time.Now()
		_, err := c.Do(req)
		wantAt(t, "less left than Reserve", err, ErrNoTime, time.Since(start), 0)
		if !body.done.Load() || w.conns.Load() != before {
			t.Errorf("refused: body closed %v, %d new connections", body.done.Load(), w.conns.Load()-before)
		}
		for _, path := range []string{"/silent", "/drip"} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*ms, cancel)
			_, took, err := fetch(ctx, c, w.URL+path)
			wantAt(t, path, err, context.Canceled, took, 100*ms)
		}
		l.Reserve = 0
		ctx, cancel = context.WithTimeout(t.Context(), 200*ms)
		defer cancel()
		_, took, err := fetch(ctx, w.client(l), w.URL+"/drip")
		wantAt(t, "no reserve", err, ErrNoTime, took, 200*ms)
		c = w.client(l)
		c.Timeout = 200 * ms
		_, took, err = fetch(t.Context(), c, w.URL+"/silent")
		wantAt(t, "Client.Timeout", err, context.DeadlineExceeded, took, 200*ms)
	})
}

type closed struct {
	io.Reader
	done atomic.Bool
}

func (c *closed) Close() error { c.done.Store(true); return nil }

func TestPool(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		l := usual()
		l.PoolSize, l.PoolWait = 2, 200*ms
		c := w.client(l)
		var open []*http.Response
		for range 2 {
			resp, err := c.Get(w.URL + "/drip")
			if err != nil {
				t.Fatal(err)
			}
			open = append(open, resp)
		}
		_, took, err := fetch(t.Context(), c, w.URL)
		wantAt(t, "third of two", err, ErrPoolWait, took, 200*ms)
		ctx, cancel := context.WithTimeout(t.Context(), 100*ms)
		defer cancel()
		_, took, err = fetch(ctx, c, w.URL)
		wantAt(t, "less time than PoolWait", err, ErrNoTime, took, 100*ms)
		time.AfterFunc(100*ms, func() { open[0].Body.Close() })
		if _, took, err = fetch(t.Context(), c, w.URL); err != nil || took < 80*ms {
			t.Errorf("after a place came free: %v after %v", err, took)
		}
		open[0].Body.Close()
		open[1].Body.Close()
		wantFree(t, c)
	})
}

func TestNoPlaceLeaks(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		dead, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		dead.Close()
		l := usual()
		l.Header, l.Gap, l.PerCall, l.PoolSize = 30*ms, 30*ms, 500*ms, 10
		c := w.client(l)
		var failed atomic.Int64
		var all sync.WaitGroup
		for i := range 150 {
			all.Go(func() {
				target := w.URL + []string{"/silent", "/stall", "/empty", "/drip", ""}[i%5]
				if i%5 == 4 {
					target = "http://" + dead.Addr().String()
				}
				resp, err := c.Get(target)
				if err != nil {
					failed.Add(1)
					return
				}
				defer resp.Body.Close()
				if strings.HasSuffix(target, "/drip") { // leaves before the end
					resp.Body.Read(make([]byte, 1))
					failed.Add(1)
					return
				}
				if _, err := io.ReadAll(resp.Body); err != nil {
					failed.Add(1)
					resp.Body.Read(make([]byte, 1))
				}
			})
		}
		all.Wait()
		wantFree(t, c)
		if failed.Load() < 100 {
			t.Errorf("only %d calls failed or left early", failed.Load())
		}
		eventually(t, "a call that is answered", func() bool {
			text, _, _ := fetch(t.Context(), c, w.URL)
			return text == "fine"
		})
	})
}

func TestConnectionsAreKept(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		l := usual()
		l.PoolSize = 8
		c := w.client(l)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 20 {
					if text, _, err := fetch(t.Context(), c, w.URL); text != "fine" {
						t.Errorf("%q, %v", text, err)
					}
				}
			})
		}
		all.Wait()
		if n := w.conns.Load(); n > 24 { // net/http dials ahead while a connection comes free
			t.Errorf("160 calls on 8 places opened %d connections", n)
		}
		c.CloseIdleConnections()
		eventually(t, "CloseIdleConnections closes", func() bool { return w.shut.Load() == w.conns.Load() })

		l.Idle = 0
		before, c := w.conns.Load(), w.client(l)
		for range 3 {
			fetch(t.Context(), c, w.URL)
		}
		if n := w.conns.Load() - before; n != 3 {
			t.Errorf("without Idle 3 calls opened %d connections", n)
		}
		l.Idle = 100 * ms
		c = w.client(l)
		fetch(t.Context(), c, w.URL)
		eventually(t, "Idle closes", func() bool { return w.shut.Load() == w.conns.Load() })
	})
}

func TestLimitsThatCannotHold(t *testing.T) {
	for name, l := range map[string]Limits{
		"no connect": {}, "negative": {Connect: 1, Gap: -1}, "negative pool": {Connect: 1, PoolSize: -1}, "retry": {Connect: 1, Attempts: 2},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			Client(l)
		}()
	}
	Client(Limits{Connect: 1, Attempts: 1})
}
