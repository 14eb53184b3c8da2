package conformance

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed python/driver.py
var pythonDriver string

//go:embed python/requirements.txt
var pythonPackages string

// pythonClients are the clients that the driver runs, by key and package name.
var pythonClients = []string{"requests", "urllib3", "httpx", "aiohttp"}

// pythonVersion is the release of a package that is run; "" if it is none of them.
func pythonVersion(name string) string {
	for line := range strings.Lines(pythonPackages) {
		if got, version, _ := strings.Cut(strings.TrimSpace(line), "=="); got == name {
			return version
		}
	}
	return ""
}

// pythonCommand is Python with the packages that conformance/python/bring put
// into the cache.
func pythonCommand(args ...string) (*exec.Cmd, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "tchain", "python")
	have, err := os.ReadFile(filepath.Join(dir, "requirements.txt"))
	if err != nil || string(have) != pythonPackages {
		return nil, fmt.Errorf("the Python packages are missing: run make test")
	}
	cmd := exec.Command("python3", args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir, "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1")
	return cmd, nil
}

func startPython() (*scriptProcess, error) {
	cmd, err := pythonCommand("-c", pythonDriver)
	if err != nil {
		return nil, err
	}
	return startDriver("python3", cmd)
}

// pythonFired is the setting that an exception means, by the names of the
// exceptions that led to it, the outer one first, and the client.
var pythonFired = map[string][]struct{ name, setting string }{
	"requests": {{"ConnectTimeout", "connect"}, {"ReadTimeout", "read"}},
	"urllib3":  {{"EmptyPoolError", "pool_timeout"}, {"ConnectTimeoutError", "Timeout.connect"}, {"ReadTimeoutError", "Timeout.read"}},
	"httpx":    {{"PoolTimeout", "pool"}, {"ConnectTimeout", "connect"}, {"WriteTimeout", "write"}, {"ReadTimeout", "read"}},
	"aiohttp":  {{"SocketTimeoutError", "timeout.sock_read"}, {"ConnectionTimeoutError", "timeout.connect"}, {"TimeoutError", "timeout.total"}},
}

// pythonFailure reads the exceptions of a client.
func pythonFailure(s BlockScenario, code, _ string, cut bool) (setting, fails string) {
	names := strings.Fields(code)
	has := func(name string) bool { return slices.Contains(names, name) }
	for _, known := range pythonFired[s.Key] {
		if strings.Contains(code, known.name) {
			return pythonSetting(s, known.setting), FailsTimeout
		}
	}
	switch {
	case has("ConnectionRefusedError") || has("ConnectError") || has("ClientConnectorError"):
		return "", FailsRefused
	case has("TimeoutError"):
		return s.Predict.Setting, FailsTimeout
	case cut:
		return "", FailsCut
	case has("ConnectionResetError") || has("RemoteDisconnected") || has("RemoteProtocolError") || has("ServerDisconnectedError") || has("ReadError") || has("ClientOSError") || has("BrokenPipeError") || has("ProtocolError"):
		return "", FailsBroken
	}
	return "", code
}

// pythonSetting tells apart what has one exception: a handshake, whose every read
// has the connect's limit, fails as a read, and aiohttp has one for both of its
// limits of a connect. A pair of them is one setting.
func pythonSetting(s BlockScenario, setting string) string {
	switch {
	case s.Key == "requests" && bytes.Contains(s.Block, []byte(`"timeout": [`)):
		return "timeout"
	case s.Upstreams[0].TLS && strings.HasSuffix(setting, "read"):
		return strings.TrimSuffix(setting, "read") + "connect"
	case setting == "timeout.connect" && s.Predict.Setting == "timeout.sock_connect":
		return s.Predict.Setting
	}
	return setting
}
