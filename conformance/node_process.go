package conformance

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

//go:embed node/driver.js
var nodeDriver string

// nodePath is the binary of a major version: the one that is installed, or the
// one that conformance/node/bring put into the cache.
func nodePath(major string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cached := filepath.Join(cache, "tchain", "node-"+major, "node_modules", "node", "bin", "node")
	for _, path := range []string{cached, "node"} {
		out, err := exec.Command(path, "--version").Output()
		if err == nil && strings.HasPrefix(string(out), "v"+major+".") {
			return path, nil
		}
	}
	return "", fmt.Errorf("node %s is missing: run make test", major)
}

// A report is what a driver in another language says of one scenario.
type report struct {
	ID        int      `json:"id"`
	Version   string   `json:"version"`
	Status    int      `json:"status"`
	Bytes     int64    `json:"bytes"`
	ElapsedMS int      `json:"elapsedMs"`
	Error     string   `json:"error"`
	Code      string   `json:"code"`
	Events    []string `json:"events"`
	Running   bool     `json:"running"`
	Port      int      `json:"port"` // of a server that was started

	Defaults map[string]any `json:"defaults"`
}

// reports hands each report to who waits for it.
type reports struct {
	mu      sync.Mutex
	n       int
	waiting map[int]chan report
}

func (r *reports) expect() (id int, back chan report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting == nil {
		r.waiting = map[int]chan report{}
	}
	r.n++
	back = make(chan report, 1)
	r.waiting[r.n] = back
	return r.n, back
}

func (r *reports) deliver(one report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if to := r.waiting[one.ID]; to != nil {
		delete(r.waiting, one.ID)
		to <- one
	}
}

// A nodeProcess is one running Node that runs scenarios, many at once.
type nodeProcess struct {
	reports
	cmd   *exec.Cmd
	write sync.Mutex
	in    io.WriteCloser
	errs  bytes.Buffer
	done  chan struct{} // closed when its output has ended
}

func startNode(major string) (*nodeProcess, error) {
	path, err := nodePath(major)
	if err != nil {
		return nil, err
	}
	n := &nodeProcess{cmd: exec.Command(path, "-e", nodeDriver), done: make(chan struct{})}
	n.cmd.SysProcAttr, n.cmd.Stderr = endsWithParent(), &n.errs
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(n.done)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var one report
			if json.Unmarshal(lines.Bytes(), &one) == nil {
				n.deliver(one)
			}
		}
	}()
	return n, nil
}

// run gives the process one scenario, with what it meets, and waits for its report.
func (n *nodeProcess) run(s BlockScenario, more map[string]any) (report, error) {
	id, back := n.expect()
	more["id"] = id
	input, err := s.input(more)
	if err != nil {
		return report{}, err
	}
	n.write.Lock()
	_, err = n.in.Write(append(input, '\n'))
	n.write.Unlock()
	if err != nil {
		return report{}, err
	}
	select {
	case one := <-back:
		return one, nil
	case <-n.done:
		return report{}, fmt.Errorf("node has ended: %s", n.errs.String())
	case <-time.After(time.Minute + s.observe()):
		return report{}, errors.New("node does not answer")
	}
}

func (n *nodeProcess) close() {
	n.in.Close()
	n.cmd.Process.Kill()
	<-n.done
	n.cmd.Wait()
}

// input is a scenario as a driver reads it, with what it meets.
func (s BlockScenario) input(more map[string]any) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	all["observeMs"] = s.observe().Milliseconds()
	for key, v := range more {
		all[key] = v
	}
	return json.Marshal(all)
}
