package conformance

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// callServer behaves as the caller of a scenario towards a server, and says what
// comes back and when.
func callServer(addr string, s BlockScenario) Result {
	r := Result{Native: map[string]string{}}
	begin := time.Now()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	defer c.Close()
	c.SetDeadline(begin.Add(s.observe()))
	in := bufio.NewReader(c)
	text, before := callerText(s)
	for range s.Before {
		io.WriteString(c, before)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			r.Error = err.Error()
			return r
		}
		io.Copy(io.Discard, resp.Body)
	}
	begin = time.Now()
	io.WriteString(c, text)
	if s.Caller == CallerDrip {
		go dripInto(c)
	}
	resp, err := http.ReadResponse(in, nil)
	r.Attempts = 1
	if err == nil {
		r.Status = resp.StatusCode
		// What still drips is answered with RST, which may take the body away.
		if s.Caller != CallerDrip {
			r.Bytes, err = io.Copy(io.Discard, resp.Body)
		}
		r.Native["Keep-Alive"] = resp.Header.Get("Keep-Alive")
	}
	if s.Caller == CallerIdle && err == nil {
		begin = time.Now()
		_, err = in.ReadByte()
		if err == io.EOF {
			err = nil
		}
	}
	r.ElapsedMS = int(time.Since(begin).Milliseconds())
	r.By = s.Key
	if err == nil {
		return r
	}
	r.Error = err.Error()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		r.Running, r.By = true, ""
	case r.Status != 0 && s.Caller != CallerIdle:
		r.Cut, r.Native["fails"] = true, FailsCut
	case r.Status == 0:
		r.Native["fails"] = FailsBroken
	}
	return r
}

// callerText is what a caller writes, and a whole request that it may make before.
func callerText(s BlockScenario) (text, whole string) {
	whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	switch s.Caller {
	case CallerMute:
		return "", whole
	case CallerHeader, CallerDrip:
		return "GET / HTTP/1.1\r\nHost: x\r\nX: a", whole
	case CallerBody:
		return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", whole
	}
	return whole, whole
}

// drip sends a byte every 100 ms until nobody takes it.
func dripInto(c net.Conn) {
	for {
		time.Sleep(100 * time.Millisecond)
		if _, err := c.Write([]byte("a")); err != nil {
			return
		}
	}
}
