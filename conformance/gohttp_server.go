package conformance

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"time"
)

// goServerBlock is the block of the catalogue's Go server.
type goServerBlock struct {
	ReadHeaderTimeout, ReadTimeout, WriteTimeout, IdleTimeout, TimeoutHandler goTime
}

// driveGoServer runs a scenario of the Go server in this process.
func driveGoServer(s BlockScenario) (Result, error) {
	var b goServerBlock
	if err := json.Unmarshal(s.Block, &b); err != nil {
		return Result{}, err
	}
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(time.Duration(s.WorkMS) * time.Millisecond)
		io.WriteString(w, "OK\n")
	})
	if b.TimeoutHandler.written {
		handler = http.TimeoutHandler(handler, b.TimeoutHandler.d, "late\n")
	}
	server := httptest.NewUnstartedServer(handler)
	server.Config.ReadHeaderTimeout = b.ReadHeaderTimeout.d
	server.Config.ReadTimeout = b.ReadTimeout.d
	server.Config.WriteTimeout = b.WriteTimeout.d
	server.Config.IdleTimeout = b.IdleTimeout.d
	server.Start()
	defer server.Close()
	r := callServer(server.Listener.Addr().String(), s)
	server.CloseClientConnections()
	r.Product, r.Version = s.Product, strings.TrimPrefix(runtime.Version(), "go")
	r.Setting = s.Predict.Setting // a server does not say which of its timers it was
	return r, nil
}
