package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// nginxPath is where Debian's package puts it.
var nginxPath = "/usr/sbin/nginx"

var errNoNGINX = errors.New("nginx is missing: run make test")

// NGINXVersion is the version of the NGINX that is installed, as "1.22.1".
func NGINXVersion() (string, error) {
	if _, err := os.Stat(nginxPath); err != nil {
		return "", errNoNGINX
	}
	out, err := exec.Command(nginxPath, "-v").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("nginx -v: %w", err)
	}
	_, version, _ := strings.Cut(strings.TrimSpace(string(out)), "nginx/")
	version, _, _ = strings.Cut(version, " ")
	return version, nil
}

// CheckNGINX is nginx -t; the error is NGINX's own line.
func CheckNGINX(c NGINXConf) error {
	dir, err := nginxDir(c, 1)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out, err := nginxCommand(dir, "-t").CombinedOutput()
	if err != nil {
		return errors.New(firstProblem(string(out), dir))
	}
	return nil
}

// An NGINXProcess is one running NGINX with a master, one worker, and a
// directory of its own.
type NGINXProcess struct {
	Dir  string
	Port int
	cmd  *exec.Cmd
	out  *bytes.Buffer
	done chan struct{} // closed when the process has ended
}

// StartNGINX starts NGINX on a free port of 127.0.0.1 and returns when it listens.
func StartNGINX(c NGINXConf) (*NGINXProcess, error) {
	var last error
	for range 5 {
		n, err := startNGINX(c)
		if err == nil || !strings.Contains(err.Error(), "Address already in use") {
			return n, err
		}
		last = err
	}
	return nil, last
}

func startNGINX(c NGINXConf) (*NGINXProcess, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := nginxDir(c, port)
	if err != nil {
		return nil, err
	}
	n := &NGINXProcess{Dir: dir, Port: port, cmd: nginxCommand(dir), out: &bytes.Buffer{}, done: make(chan struct{})}
	n.cmd.Stdout, n.cmd.Stderr = n.out, n.out
	if err := n.cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	go func() {
		n.cmd.Wait()
		close(n.done)
	}()
	if err := n.listening(); err != nil {
		n.Stop()
		return nil, err
	}
	return n, nil
}

// listening waits until the pid file is there, which NGINX writes after it has
// bound its port.
func (n *NGINXProcess) listening() error {
	for range 500 {
		select {
		case <-n.done:
			return errors.New(firstProblem(n.out.String(), n.Dir))
		case <-time.After(10 * time.Millisecond):
		}
		if pid, err := os.ReadFile(filepath.Join(n.Dir, "nginx.pid")); err != nil || len(pid) == 0 {
			continue
		}
		c, err := net.Dial("tcp", n.Addr())
		if err == nil {
			return c.Close()
		}
	}
	return errors.New("nginx does not listen after 5 s")
}

// Addr is where NGINX listens, as host:port.
func (n *NGINXProcess) Addr() string { return fmt.Sprintf("127.0.0.1:%d", n.Port) }

// Stop ends NGINX and removes its directory.
func (n *NGINXProcess) Stop() {
	n.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-n.done:
	case <-time.After(5 * time.Second):
		n.cmd.Process.Kill()
		<-n.done
	}
	os.RemoveAll(n.Dir)
}

func nginxDir(c NGINXConf, port int) (string, error) {
	if _, err := os.Stat(nginxPath); err != nil {
		return "", errNoNGINX
	}
	dir, err := os.MkdirTemp("", "tchain-nginx-")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(c.text(dir, port)), 0o600); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

func nginxCommand(dir string, args ...string) *exec.Cmd {
	args = append(args, "-p", dir, "-e", filepath.Join(dir, "error.log"), "-c", filepath.Join(dir, "nginx.conf"))
	cmd := exec.Command(nginxPath, args...)
	cmd.SysProcAttr = endsWithParent()
	return cmd
}

// firstProblem is the first line in which NGINX says what is wrong, without the
// directory.
func firstProblem(out, dir string) string {
	for line := range strings.Lines(out) {
		if i := strings.Index(line, "[emerg]"); i >= 0 {
			line = strings.TrimSpace(line[i+len("[emerg]"):])
			return "nginx: " + strings.ReplaceAll(line, dir+"/", "")
		}
	}
	return "nginx: " + strings.TrimSpace(out)
}

func freePort() (int, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port, nil
}
