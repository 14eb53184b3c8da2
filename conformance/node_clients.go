package conformance

import (
	_ "embed"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed node/clients.mjs
var nodeClientsDriver string

//go:embed node/clients/package.json
var nodePackages []byte

// nodeClientsMajor is the major version of Node that the clients run on.
const nodeClientsMajor = "20"

// nodeClientVersions are the releases of the clients that are run, by their key.
func nodeClientVersions() map[string]string {
	var p struct{ Dependencies map[string]string }
	json.Unmarshal(nodePackages, &p) // a test starts every one of them
	return p.Dependencies
}

func startNodeClients() (*scriptProcess, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	path, err := nodePath(nodeClientsMajor)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "tchain", "node-clients")
	if have, err := os.ReadFile(filepath.Join(dir, "package.json")); err != nil || string(have) != string(nodePackages) {
		return nil, errors.New("the Node clients are missing: run make test")
	}
	cmd := exec.Command(path, "--input-type=module", "-e", nodeClientsDriver)
	cmd.Dir = dir
	return startDriver("node", cmd)
}

// nodeClientFired is the setting that the code of an error means.
var nodeClientFired = map[string]string{
	"UND_ERR_HEADERS_TIMEOUT": "headersTimeout", "UND_ERR_BODY_TIMEOUT": "bodyTimeout", "UND_ERR_CONNECT_TIMEOUT": "connectTimeout",
	"ECONNABORTED": "timeout",
}

// nodeClientFailure reads what a call of undici, axios or got failed with.
func nodeClientFailure(s BlockScenario, code, text string, cut bool) (setting, fails string) {
	code, event, _ := strings.Cut(code, ":")
	switch {
	case nodeClientFired[code] != "":
		return nodeClientFired[code], FailsTimeout
	case code == "ETIMEDOUT" && event != "":
		return "timeout." + event, FailsTimeout
	case code == "ETIMEDOUT":
		return "timeout", FailsTimeout
	case code == "TimeoutError":
		return s.Predict.Setting, FailsTimeout // of a signal, whoever made it
	case code == "ERR_BAD_RESPONSE" && strings.Contains(text, "aborted"):
		return s.Predict.Setting, s.Fails // axios does not say who aborted
	case code == "ECONNREFUSED":
		return "", FailsRefused
	case cut:
		return "", FailsCut
	case code == "ECONNRESET" || code == "EPIPE" || code == "UND_ERR_SOCKET":
		return "", FailsBroken
	}
	return "", code
}
