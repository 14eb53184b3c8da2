package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A proxyProduct is a proxy that is run with a configuration that is written
// from the block of a scenario.
type proxyProduct struct {
	path    string   // of its binary, as Debian's package has it
	version []string // the arguments with which it says its version
	// prepare writes the configuration into the directory: a listener on the port
	// in front of the upstream, which is host:port.
	prepare func(block map[string]any, dir string, port int, to upstreamAddress) (*exec.Cmd, error)
	// account reads the log about the path /measured: how often the upstream was
	// tried, and the setting whose time was up, as it ends in the block. ok is
	// false while the log is not complete.
	account func(log string) (attempts int, fired string, ok bool)
}

// An upstreamAddress is where a proxy leads.
type upstreamAddress struct {
	hostPort string
	tls      bool
}

// proxies are the proxies by their key in the catalogue.
var proxies = map[string]proxyProduct{haproxyKey: haproxyProduct, apacheKey: apacheProduct, caddyKey: caddyProduct}

var proxyVersions sync.Map

// proxyVersion is the version that is installed; "" if it is missing.
func proxyVersion(key string) string {
	if v, ok := proxyVersions.Load(key); ok {
		return v.(string)
	}
	p := proxies[key]
	out, _ := exec.Command(p.path, p.version...).CombinedOutput()
	v := firstVersion.FindString(string(out))
	proxyVersions.Store(key, v)
	return v
}

// driveProxy runs one scenario on a proxy of its own.
func driveProxy(s BlockScenario) (Result, error) {
	p := proxies[s.Key]
	if _, err := os.Stat(p.path); err != nil {
		return Result{}, fmt.Errorf("%s is missing: run make test", s.Key)
	}
	var block map[string]any
	if err := json.Unmarshal(s.Block, &block); err != nil {
		return Result{}, err
	}
	env, err := newGoEnvironment(s)
	if err != nil {
		return Result{}, err
	}
	defer env.close()
	scheme, rest, _ := strings.Cut(env.url, "://")
	to := upstreamAddress{strings.TrimSuffix(rest, "/"), scheme == "https"}
	l, err := listen(s.Key, func(dir string, port int) (*exec.Cmd, error) { return p.prepare(block, dir, port, to) })
	if err != nil {
		return Result{}, err
	}
	defer l.Stop()
	var r Result
	if s.Caller != "" || s.Kept {
		r = callServer(l.Addr(), s)
		r.Product, r.Version = s.Product, proxyVersion(s.Key)
		r.Setting = s.Predict.Setting // it does not say in which block it stands
		if s.Kept {
			r.Native["fails"] = ""
		}
		return r, nil
	}
	for range s.Before {
		get(l.Addr(), "/before", Scenario{})
	}
	for range s.Occupy {
		go get(l.Addr(), "/occupies", s.Scenario)
	}
	env.occupied(s.Before + s.Occupy)
	r = get(l.Addr(), "/measured", s.Scenario)
	r.Product, r.Version, r.Native = s.Product, proxyVersion(s.Key), map[string]string{}
	if s.Idle {
		r.By = Upstream
		env.watch.idle(&r, s)
	}
	if r.By == "" && !r.Running {
		r.By = s.Key
	}
	r.Seen = env.seen()
	if r.Running {
		r.By, r.Attempts = "", 1 // it logs what is over
		return r, nil
	}
	return r, p.says(l, s, &r)
}

// says adds to a result what the proxy's own log tells.
func (p proxyProduct) says(l *listener, s BlockScenario, r *Result) error {
	for range 300 {
		attempts, fired, ok := p.account(l.out.String())
		if !ok {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		// The product's own repeats on a dead connection are in no log.
		r.Attempts, r.Native["fired"] = max(attempts, r.Seen.Requests-s.Before-s.Occupy), fired
		switch {
		case s.Idle:
		case fired != "" && strings.HasSuffix(s.Predict.Setting, fired):
			r.Setting = s.Predict.Setting // the log does not say in which block it stands
		default:
			r.Setting = fired
		}
		return nil
	}
	return fmt.Errorf("%s has not logged the request after 3 s: %s", s.Key, l.out.String())
}
