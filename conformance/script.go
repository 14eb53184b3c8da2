package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

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

// A scriptProcess is a running driver in another language that runs scenarios,
// many at once.
type scriptProcess struct {
	reports
	name  string
	cmd   *exec.Cmd
	write sync.Mutex
	in    io.WriteCloser
	errs  bytes.Buffer
	done  chan struct{} // closed when its output has ended
}

func startDriver(name string, cmd *exec.Cmd) (*scriptProcess, error) {
	var err error
	n := &scriptProcess{name: name, cmd: cmd, done: make(chan struct{})}
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
func (n *scriptProcess) run(s BlockScenario, more map[string]any) (report, error) {
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
		return report{}, fmt.Errorf("%s has ended: %s", n.name, n.errs.String())
	case <-time.After(time.Minute + s.observe()):
		return report{}, fmt.Errorf("%s does not answer: %s", n.name, n.errs.String())
	}
}

func (n *scriptProcess) close() {
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
