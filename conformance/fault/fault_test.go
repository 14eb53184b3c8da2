package fault

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"tchain.dev/tchain/internal/retake"
)

func TestTheModesThatAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c      Config
		status int
		after  time.Duration
		retry  string
	}{
		{Config{Mode: OK}, 200, 0, ""},
		{Config{Mode: Slow, DelayMS: 300}, 200, 300 * time.Millisecond, ""},
		{Config{Mode: Unavailable}, 503, 0, ""},
		{Config{Mode: Unavailable, RetryAfter: "7", Status: 429}, 429, 0, "7"},
	} {
		s := begun(t, tt.c)
		from := time.Now()
		c, in := sent(t, s, "GET")
		got, header := status(t, in)
		if got != tt.status || header.Get("Retry-After") != tt.retry || header.Get(Header) != string(tt.c.Mode) {
			t.Errorf("%+v answers %d %v", tt.c, got, header)
		}
		if d := time.Since(from); d < tt.after {
			t.Errorf("%+v answers after %v", tt.c, d)
		}
		again(t, c, "GET")
		if got, _ = status(t, in); got != tt.status {
			t.Errorf("%+v answers %d on a reused connection", tt.c, got)
		}
		eventually(t, s, Counts{Connections: 1, Requests: 2, Answered: 2})
	}
}

func TestTheModesThatStall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c            Config
		begins, ends string
		atMost       int
	}{
		{Config{Mode: Silent}, "", "", 0},
		{Config{Mode: Stall}, "HTTP/1.1 200 OK\r\n", "\r\n\r\naaaaa", 400},
		{Config{Mode: Stall, Chunked: true}, "HTTP/1.1 200 OK\r\n", "\r\n\r\n5\r\naaaaa\r\n", 400},
		{Config{Mode: Trickle, IntervalMS: 50, Chunked: true}, "HTTP/1.1 200 OK\r\n", "\r\n\r\n1\r\na\r\n1\r\na\r\n", 400},
		{Config{Mode: Trickle, IntervalMS: 50}, "HTTP/1.1 200 OK\r\n", "\r\n\r\n" + "aaaa", 400},
		{Config{Mode: HeaderDrip, IntervalMS: 10}, "HTTP/1.1 200 OK\r\n" + Header + ": aaa", "a", 100},
	} {
		t.Run(string(tt.c.Mode), func(t *testing.T) {
			t.Parallel()
			s := begun(t, tt.c)
			c, in := sent(t, s, "GET")
			got := hears(c, in, 700*time.Millisecond)
			if !strings.HasPrefix(got, tt.begins) || !strings.Contains(got, tt.ends) || len(got) > tt.atMost {
				t.Errorf("heard %q", got)
			}
			c.Close()
			eventually(t, s, Counts{Connections: 1, Requests: 1, Abandoned: 1})
		})
	}
}

func TestSlowNoticesThatTheCallerLeft(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: Slow, DelayMS: 60_000})
	c, _ := sent(t, s, "GET")
	eventually(t, s, Counts{Connections: 1, Requests: 1})
	c.Close()
	eventually(t, s, Counts{Connections: 1, Requests: 1, Abandoned: 1})
}

func TestResetBreaksTheConnectionAfterTheRequest(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: Reset})
	_, in := sent(t, s, "POST")
	if _, err := in.ReadByte(); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read ends with %v, want a reset", err)
	}
	eventually(t, s, Counts{Connections: 1, Requests: 1})
}

func TestHangUpClosesInOrderAfterTheRequest(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: HangUp})
	_, in := sent(t, s, "POST")
	if _, err := in.ReadByte(); err != io.EOF {
		t.Errorf("read ends with %v, want EOF", err)
	}
	eventually(t, s, Counts{Connections: 1, Requests: 1})
}

func TestRefuseRefusesAndKeepsItsPort(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: Refuse})
	if _, err := net.Dial("tcp", s.Addr()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial ends with %v, want refused", err)
	}
	if ln, err := net.Listen("tcp", s.Addr()); err == nil {
		ln.Close()
		t.Error("the port is free for others")
	}
}

func TestBacklogLeavesTheSYNUnanswered(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: Backlog})
	for range 3 {
		_, err := net.DialTimeout("tcp", s.Addr(), 200*time.Millisecond)
		if e, ok := errors.AsType[net.Error](err); !ok || !e.Timeout() {
			t.Errorf("dial ends with %v, want a timeout", err)
		}
	}
}

func TestTLSStallAcceptsAndSaysNothing(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: TLSStall})
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: 300 * time.Millisecond}, Config: &tls.Config{InsecureSkipVerify: true}}
	_, err := d.Dial("tcp", s.Addr())
	if e, ok := errors.AsType[net.Error](err); !ok || !e.Timeout() {
		t.Errorf("handshake ends with %v, want a timeout", err)
	}
	eventually(t, s, Counts{Connections: 1})
}

func TestHTTPSIsServedWithItsOwnRoot(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: OK, TLS: true})
	client := http.Client{Transport: &http.Transport{TLSClientConfig: trusting(s), DisableKeepAlives: true}}
	resp, err := client.Get("https://" + s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("answers %d", resp.StatusCode)
	}
}

func TestIdleRaceClosesUnderTheSecondRequest(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: IdleRace})
	c, in := sent(t, s, "GET")
	status(t, in)
	time.Sleep(100 * time.Millisecond)
	again(t, c, "GET")
	if b, err := in.ReadByte(); err == nil {
		t.Errorf("the second request is answered with %q", b)
	}
	_, in = sent(t, s, "GET")
	if got, _ := status(t, in); got != 200 {
		t.Errorf("a new connection is answered %d", got)
	}
	eventually(t, s, Counts{Connections: 2, Requests: 3, Answered: 2})
}

func TestIdleRaceClosesAfterAnIdleDelay(t *testing.T) {
	t.Parallel()
	retake.Test(t, idleRaceClosesAfterAnIdleDelay)
}

func idleRaceClosesAfterAnIdleDelay(t testing.TB) {
	s := begun(t, Config{Mode: IdleRace, DelayMS: 400})
	c, in := sent(t, s, "GET")
	status(t, in)
	again(t, c, "GET")
	status(t, in)
	from := time.Now()
	if _, err := in.ReadByte(); err != io.EOF || time.Since(from) < 300*time.Millisecond {
		t.Errorf("closed with %v after %v", err, time.Since(from))
	}
}

func TestTimesIsHowManyRequestsGoWrong(t *testing.T) {
	t.Parallel()
	s := begun(t, Config{Mode: Unavailable, Times: 2})
	c, in := sent(t, s, "GET")
	for i, want := range []int{503, 503, 200} {
		if i > 0 {
			again(t, c, "GET")
		}
		if got, _ := status(t, in); got != want {
			t.Errorf("request %d is answered %d, want %d", i+1, got, want)
		}
	}
}

func TestAWrongConfigurationIsRefused(t *testing.T) {
	for _, c := range []Config{{}, {Mode: "sleepy"}, {Mode: Slow, DelayMS: -1}, {Mode: Unavailable, Status: 99}} {
		if s, err := Start(c); err == nil {
			s.Close()
			t.Errorf("%+v is started", c)
		}
	}
}
