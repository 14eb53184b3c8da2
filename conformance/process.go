package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A listener is a real product that runs on a port of 127.0.0.1, with a
// directory of its own.
type listener struct {
	Dir  string
	Port int
	cmd  *exec.Cmd
	out  *output
	done chan struct{} // closed when the process has ended
}

// output is what a process has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// listen starts a product on a free port and returns when it takes connections.
// prepare writes what it needs into the directory and returns its command.
func listen(name string, prepare func(dir string, port int) (*exec.Cmd, error)) (*listener, error) {
	var last error
	for range 5 {
		l, err := listenOnce(name, prepare)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), "address already in use") {
			return l, err
		}
		last = err
	}
	return nil, last
}

func listenOnce(name string, prepare func(dir string, port int) (*exec.Cmd, error)) (*listener, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tchain-"+name+"-")
	if err != nil {
		return nil, err
	}
	cmd, err := prepare(dir, port)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	l := &listener{Dir: dir, Port: port, cmd: cmd, out: &output{}, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = l.out, l.out, endsWithParent()
	// What a killed product leaves behind holds its output open.
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	go func() {
		cmd.Wait()
		close(l.done)
	}()
	for range 1500 {
		select {
		case <-l.done:
			l.Stop()
			return nil, errors.New(firstProblem(name, l.out.String(), dir))
		case <-time.After(10 * time.Millisecond):
		}
		if c, err := net.Dial("tcp", l.Addr()); err == nil {
			return l, c.Close()
		}
	}
	l.Stop()
	return nil, fmt.Errorf("%s does not listen after 15 s: %s", name, l.out.String())
}

// Addr is where it listens, as host:port.
func (l *listener) Addr() string { return fmt.Sprintf("127.0.0.1:%d", l.Port) }

// Stop ends the process and removes its directory.
func (l *listener) Stop() {
	l.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-l.done:
	case <-time.After(5 * time.Second):
		l.cmd.Process.Kill()
		<-l.done
	}
	os.RemoveAll(l.Dir)
}

// firstProblem is the first line in which a product says what is wrong, without
// the directory.
func firstProblem(name, out, dir string) string {
	for line := range strings.Lines(out) {
		if i := strings.Index(line, "[emerg]"); i >= 0 {
			line = strings.TrimSpace(line[i+len("[emerg]"):])
			return name + ": " + strings.ReplaceAll(line, dir+"/", "")
		}
	}
	return name + ": " + strings.TrimSpace(out)
}

// nextPort counts the ports that were given out.
var nextPort atomic.Int32

// freePort is a port that the kernel gives to nobody who asks for any, so that
// it is still free when the product takes it: it is below the ephemeral ones.
func freePort() (int, error) {
	const from, n = 10_000, 22_000
	var last error
	for range 100 {
		port := from + (os.Getpid()*101+int(nextPort.Add(1)))%n
		ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return port, ln.Close()
		}
		last = err
	}
	return 0, last
}
