package jvm

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// A Driver is one running JVM with the jars of one variant. Run may be called
// from any goroutine.
type Driver struct {
	// Versions are the releases that run, by the name of the jar: "httpclient5";
	// the JDK's is "jdk".
	Versions map[string]string

	cmd *exec.Cmd
	in  io.WriteCloser
	dir string

	mu      sync.Mutex
	last    int
	waiting map[int]chan Result
	ended   error
}

// Start compiles the driver if need be and starts it.
func Start(variant string) (*Driver, error) {
	jars, err := lib(variant)
	if err != nil {
		return nil, err
	}
	java, err := JDK("java")
	if err != nil {
		return nil, err
	}
	classes, err := compiled()
	if err != nil {
		return nil, err
	}
	d := &Driver{waiting: map[int]chan Result{}}
	if d.dir, err = os.MkdirTemp("", "tchain-jvm-"); err != nil {
		return nil, err
	}
	if err := d.start(java, classes, jars); err != nil {
		os.RemoveAll(d.dir)
		return nil, err
	}
	return d, nil
}

func (d *Driver) start(java, classes, jars string) error {
	names := filepath.Join(d.dir, "hosts")
	if err := os.WriteFile(names, []byte(hosts()), 0o666); err != nil {
		return err
	}
	d.cmd = exec.Command(java,
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx256m",
		"-Djava.io.tmpdir="+d.dir, "-Djdk.net.hosts.file="+names, "-Djava.net.preferIPv4Stack=true",
		"-cp", classes+string(os.PathListSeparator)+filepath.Join(jars, "*"), "tchain.Main")
	in, err := d.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	log := &tail{}
	d.cmd.Stderr = log
	if err := d.cmd.Start(); err != nil {
		return err
	}
	d.in = in
	lines := bufio.NewReader(out)
	hello := struct{ Versions *map[string]string }{&d.Versions}
	if first, err := lines.ReadBytes('\n'); err != nil || json.Unmarshal(first, &hello) != nil {
		d.Close()
		return fmt.Errorf("the driver says %q, %v\n%s", first, err, log)
	}
	go d.read(lines, log)
	return nil
}

// read hands every line to whom it answers.
func (d *Driver) read(lines *bufio.Reader, log *tail) {
	for {
		var r Result
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &r)
		}
		d.mu.Lock()
		if err != nil {
			d.ended = fmt.Errorf("the driver ended: %v\n%s", err, log)
			for _, answer := range d.waiting {
				close(answer)
			}
			d.waiting = map[int]chan Result{}
			d.mu.Unlock()
			return
		}
		if answer := d.waiting[r.ID]; answer != nil {
			answer <- r
			delete(d.waiting, r.ID)
		}
		d.mu.Unlock()
	}
}

// Run runs a scenario. The error is about the run; what the product did wrong is
// in the Result.
func (d *Driver) Run(s Scenario) (Result, error) {
	answer := make(chan Result, 1)
	d.mu.Lock()
	if d.ended != nil {
		d.mu.Unlock()
		return Result{}, d.ended
	}
	d.last++
	s.ID = d.last
	d.waiting[s.ID] = answer
	line, err := json.Marshal(s)
	if err == nil {
		_, err = d.in.Write(append(line, '\n'))
	}
	d.mu.Unlock()
	if err != nil {
		return Result{}, err
	}
	select {
	case r, ok := <-answer:
		if !ok {
			return Result{}, d.ended
		}
		return r, nil
	case <-time.After(time.Minute):
		return Result{}, errors.New("the driver did not answer within a minute")
	}
}

// Close ends the JVM.
func (d *Driver) Close() {
	d.in.Close()
	ended := time.AfterFunc(5*time.Second, func() { d.cmd.Process.Kill() })
	d.cmd.Wait()
	ended.Stop()
	os.RemoveAll(d.dir)
}

// A tail is the last 4 KiB that were written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text) - 4096; n > 0 {
		t.text = t.text[n:]
	}
	return len(p), nil
}

// String is what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
