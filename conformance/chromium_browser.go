package conformance

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed chromium/page.html
var chromiumPage []byte

// chromiumPath is the command of Debian's package.
var chromiumPath = "chromium"

// A chromiumBrowser is one headless Chromium with one page that runs scenarios,
// many at once.
type chromiumBrowser struct {
	Version string
	server  *httptest.Server
	cmd     *exec.Cmd
	dir     string
	out     bytes.Buffer
	done    chan struct{} // closed when the process has ended
	next    chan []byte   // scenarios that the page has not fetched

	reports
}

func startChromium() (*chromiumBrowser, error) {
	path, err := exec.LookPath(chromiumPath)
	if err != nil {
		return nil, errors.New("chromium is missing: run make test")
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("chromium --version: %w", err)
	}
	b := &chromiumBrowser{done: make(chan struct{}), next: make(chan []byte)}
	if words := strings.Fields(string(version)); len(words) > 1 {
		b.Version = words[1]
	}
	if b.dir, err = os.MkdirTemp("", "tchain-chromium-"); err != nil {
		return nil, err
	}
	b.server = httptest.NewServer(b.handler())
	// The fault servers know no CORS, and a proxy in front of them would repeat and
	// wait in its own way: so the page may call other origins.
	b.cmd = exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--disable-web-security", "--no-proxy-server", "--user-data-dir="+b.dir, b.server.URL+"/")
	b.cmd.SysProcAttr = endsWithParent()
	b.cmd.Stdout, b.cmd.Stderr = &b.out, &b.out
	// Other processes of it hold its output open beyond its end.
	b.cmd.WaitDelay = time.Second
	if err := b.cmd.Start(); err != nil {
		b.server.Close()
		os.RemoveAll(b.dir)
		return nil, err
	}
	go func() {
		b.cmd.Wait()
		close(b.done)
	}()
	return b, nil
}

func (b *chromiumBrowser) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(chromiumPage)
	})
	mux.HandleFunc("GET /next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case scenario := <-b.next:
			w.Write(scenario)
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
			w.Write([]byte("null"))
		}
	})
	mux.HandleFunc("POST /result", func(w http.ResponseWriter, r *http.Request) {
		var one report
		if err := json.NewDecoder(r.Body).Decode(&one); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b.deliver(one)
	})
	return mux
}

// run has the page run one scenario against a URL.
func (b *chromiumBrowser) run(s BlockScenario, url string) (one report, err error) {
	id, back := b.expect()
	input, err := s.input(map[string]any{"id": id, "url": url})
	if err != nil {
		return one, err
	}
	late := time.After(time.Minute + s.observe())
	for next := b.next; ; {
		select {
		case next <- input:
			next = nil
		case one = <-back:
			return one, nil
		case <-b.done:
			return one, fmt.Errorf("chromium has ended: %s", b.out.String())
		case <-late:
			return one, errors.New("chromium does not answer")
		}
	}
}

func (b *chromiumBrowser) close() {
	b.cmd.Process.Kill()
	<-b.done
	b.server.CloseClientConnections()
	b.server.Close()
	for range 20 { // its other processes end a little later
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
