package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// nginxPath is where Debian's package puts it.
var nginxPath = "/usr/sbin/nginx"

var errNoNGINX = errors.New("nginx is missing: run make test")

// firstVersion finds a version in what a product says.
var firstVersion = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

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
	if _, err := os.Stat(nginxPath); err != nil {
		return errNoNGINX
	}
	dir, err := os.MkdirTemp("", "tchain-nginx-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeConf(filepath.Join(dir, "nginx.conf"), c.text(dir, 1)); err != nil {
		return err
	}
	out, err := nginxCommand(dir, "-t").CombinedOutput()
	if err != nil {
		return errors.New(firstProblem(NGINX, string(out), dir))
	}
	return nil
}

// An NGINXProcess is one running NGINX with a master, one worker, and a
// directory of its own.
type NGINXProcess struct{ *listener }

// StartNGINX starts NGINX on a free port of 127.0.0.1 and returns when it listens.
func StartNGINX(c NGINXConf) (*NGINXProcess, error) {
	if _, err := os.Stat(nginxPath); err != nil {
		return nil, errNoNGINX
	}
	l, err := listen(NGINX, func(dir string, port int) (*exec.Cmd, error) {
		return nginxCommand(dir), writeConf(filepath.Join(dir, "nginx.conf"), c.text(dir, port))
	})
	return &NGINXProcess{l}, err
}

func writeConf(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

func nginxCommand(dir string, args ...string) *exec.Cmd {
	args = append(args, "-p", dir, "-e", filepath.Join(dir, "error.log"), "-c", filepath.Join(dir, "nginx.conf"))
	return exec.Command(nginxPath, args...)
}
