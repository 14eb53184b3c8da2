package upstream

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A flaky server counts requests by their bodies, and goes wrong as its path says;
// after some of them it answers.
type flaky struct {
	*world
	mu     sync.Mutex
	bodies []string
	after  int
}

func newFlaky(t *testing.T, w *world) *flaky {
	f := &flaky{world: w, after: 1 << 30}
	w.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.bodies = append(f.bodies, string(b))
		n := len(f.bodies)
		f.mu.Unlock()
		switch {
		case n > f.after:
			io.WriteString(rw, "fine")
		case r.URL.Path == "/busy":
			http.Error(rw, "busy", 503)
		case r.URL.Path == "/break":
			panic(http.ErrAbortHandler)
		default:
			w.serve(rw, r)
		}
	})
	return f
}

func (f *flaky) got() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.bodies)
}

// thrice is a policy of three attempts, waiting 100 ms and 200 ms.
func thrice() Limits {
	l := usual()
	l.Attempts, l.Header, l.RetryWait, l.RetryGrows = 3, 200*ms, 100*ms, 2
	l.RetryOn = []Failure{FailHeader, FailRefused, FailReset, "503"}
	l.RetryMethods = []string{"GET", "PUT"}
	return l
}

func TestRetries(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		for _, tc := range []struct {
			name, method, path string
			change             func(*Limits)
			want               error  // nil: any, or none
			text               string // of an answer
			at                 time.Duration
			requests           int
		}{
			{"silence, until all attempts are made", "GET", "/silent", func(*Limits) {}, ErrHeader, "", 900 * ms, 3},
			{"silence after a method that is not repeated", "POST", "/silent", func(*Limits) {}, ErrHeader, "", 200 * ms, 1},
			{"silence after any method", "POST", "/silent", func(l *Limits) { l.RetryMethods = nil }, ErrHeader, "", 900 * ms, 3},
			{"silence that is not waited after", "GET", "/silent", func(l *Limits) { l.RetryAtOnce = l.RetryOn }, ErrHeader, "", 600 * ms, 3},
			{"a longest wait", "GET", "/silent", func(l *Limits) { l.RetryMost = 120 * ms }, ErrHeader, "", 820 * ms, 3},
			{"a broken connection", "PUT", "/break", func(*Limits) {}, nil, "", 300 * ms, 3},
			{"a status, of which the last one is handed on", "GET", "/busy", func(*Limits) {}, nil, "busy\n", 300 * ms, 3},
			{"a status of a method that is not repeated", "POST", "/busy", func(*Limits) {}, nil, "busy\n", 0, 1},
			{"a status that is repeated whatever the method", "POST", "/busy", func(l *Limits) { l.RetryAnyMethod = []Failure{"503"} }, nil, "busy\n", 300 * ms, 3},
			{"a class of statuses", "GET", "/busy", func(l *Limits) { l.RetryOn = []Failure{"5xx"} }, nil, "busy\n", 300 * ms, 3},
			{"another class of statuses", "GET", "/busy", func(l *Limits) { l.RetryOn = []Failure{"4xx"} }, nil, "busy\n", 0, 1},
			{"a status that is not repeated", "GET", "/busy", func(l *Limits) { l.RetryOn = l.RetryOn[:3] }, nil, "busy\n", 0, 1},
			{"the limit of the whole call ends an attempt", "GET", "/silent", func(l *Limits) { l.PerCall = 400 * ms }, ErrPerCall, "", 400 * ms, 2},
			{"the limit of the whole call ends a wait", "GET", "/silent", func(l *Limits) { l.PerCall = 250 * ms }, ErrPerCall, "", 250 * ms, 1},
			{"the limit of the whole call ends the body", "GET", "/drip", func(l *Limits) { l.PerCall = 400 * ms }, ErrPerCall, "", 400 * ms, 1},
			{"too little is left for another attempt", "GET", "/silent", func(l *Limits) { l.PerCall, l.RetryLeast = 2*time.Second, 1600*ms }, ErrHeader, "", 500 * ms, 2},
			{"the window for another attempt is over", "GET", "/silent", func(l *Limits) { l.RetryWindow = 300 * ms }, ErrHeader, "", 500 * ms, 2},
			{"each attempt has a limit of its own", "GET", "/silent", func(l *Limits) {
				l.PerAttempt, l.RetryOn = 150*ms, []Failure{FailPerAttempt}
			}, ErrPerAttempt, "", 750 * ms, 3},
		} {
			f := newFlaky(t, w)
			l := thrice()
			tc.change(&l)
			c := f.client(l)
			req, err := http.NewRequestWithContext(t.Context(), tc.method, f.URL+tc.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			start, text := time.Now(), []byte(nil)
			resp, err := c.Do(req)
			if err == nil {
				text, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			took := time.Since(start)
			if tc.want != nil {
				wantAt(t, tc.name, err, tc.want, took, tc.at)
			} else if tc.text != string(text) || (err == nil) != (tc.text != "") || took < tc.at-20*ms || took > tc.at+600*ms {
				t.Errorf("%s: %q, %v after %v, want %q after %v", tc.name, text, err, took, tc.text, tc.at)
			}
			if n := len(f.got()); n != tc.requests {
				t.Errorf("%s: %d requests, want %d", tc.name, n, tc.requests)
			}
			wantFree(t, c)
		}
	})
}

// A callee that recovers is answered from, and got the whole body each time; a body
// that can be read but once is sent once.
func TestRepeatedBody(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		f := newFlaky(t, w)
		f.after = 2
		l := thrice()
		l.RetryMethods = nil
		c := f.client(l)
		resp, err := c.Post(f.URL+"/busy", "text/plain", strings.NewReader("all of it"))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if want := []string{"all of it", "all of it", "all of it"}; string(text) != "fine" || !slices.Equal(f.got(), want) {
			t.Errorf("%q, and the callee got %q", text, f.got())
		}
		f = newFlaky(t, w)
		resp, err = c.Post(f.URL+"/busy", "text/plain", io.MultiReader(strings.NewReader("once")))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if want := []string{"once"}; resp.StatusCode != 503 || !slices.Equal(f.got(), want) {
			t.Errorf("%d, and of a stream the callee got %q", resp.StatusCode, f.got())
		}
		wantFree(t, c)
	})
}

// Nobody listens: it is sent again whatever the method, and a caller who leaves ends
// the wait.
func TestNobodyListens(t *testing.T) {
	w := newWorld(t, false)
	w.Listener.Close()
	c := w.client(thrice())
	start := time.Now()
	_, err := c.Post(w.URL, "text/plain", nil)
	if took := time.Since(start); err == nil || took < 280*ms || took > 900*ms {
		t.Errorf("%v after %v, want three attempts in 300ms", err, took)
	}
	l := thrice()
	l.RetryWait = time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*ms, cancel)
	c = w.client(l)
	_, took, err := fetch(ctx, c, w.URL)
	wantAt(t, "the caller leaves", err, context.Canceled, took, 100*ms)
	wantFree(t, c)
}
