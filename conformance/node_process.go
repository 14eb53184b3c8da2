package conformance

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

func startNode(major string) (*scriptProcess, error) {
	path, err := nodePath(major)
	if err != nil {
		return nil, err
	}
	return startDriver("node", exec.Command(path, "-e", nodeDriver))
}
