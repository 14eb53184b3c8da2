package conformance

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// pumaKey is Puma in the catalogue.
const pumaKey = "puma"

// pumaApp takes the whole request, works, and answers.
const pumaApp = `app do |env|
  env["rack.input"].read
  sleep(env["PATH_INFO"] == "/ready" ? 0 : %g)
  [200, { "Content-Length" => "3" }, ["OK\n"]]
end
`

// pumaVersion is the version that is installed; "" if it is missing.
var pumaVersion = sync.OnceValue(func() string {
	out, _ := exec.Command(pumaKey, "--version").CombinedOutput()
	return firstVersion.FindString(string(out))
})

// drivePuma runs one scenario on a Puma of its own.
func drivePuma(s BlockScenario) (Result, error) {
	return driveServing(s, pumaVersion(), func(dir string, port int) (*exec.Cmd, error) {
		var block map[string]any
		if err := json.Unmarshal(s.Block, &block); err != nil {
			return nil, err
		}
		var conf strings.Builder
		fmt.Fprintf(&conf, "bind 'tcp://127.0.0.1:%d'\n", port)
		for _, name := range sortedKeys(block) {
			fmt.Fprintf(&conf, "%s %s\n", name, mustJSON(block[name])) // a number is written alike
		}
		fmt.Fprintf(&conf, pumaApp, float64(s.WorkMS)/1000)
		path := filepath.Join(dir, "puma.rb")
		return exec.Command(pumaKey, "-C", path), writeConf(path, conf.String())
	})
}

// PumaScenarios are the runs of Puma. Three of its timers have none. Its fixed
// 10 s for a write: a caller that could see the end has to read, and that ends
// the wait. worker_shutdown_timeout: it begins when the server stops, which no
// run of a server has. worker_timeout as what restarts a worker: that wants a
// process that stands still whole, not a request.
func PumaScenarios() []BlockScenario { return serverRuns(pumaKey, pumaRuns) }

const pumaSecond = `{"first_data_timeout": 1}`

var pumaRuns = []BlockScenario{
	serveRun("first_data_timeout closes silently within a header", pumaSecond, CallerHeader, serveCloses(pumaKey, "first_data_timeout", 1000)).failing(FailsBroken),
	serveRun("first_data_timeout closes a connection that sends nothing", pumaSecond, CallerMute, serveCloses(pumaKey, "first_data_timeout", 1000)).failing(FailsBroken),
	serveRun("first_data_timeout is a gap: a header that drips never trips it", pumaSecond, CallerDrip, Prediction{Running: true}).observing(3000),
	serveRun("first_data_timeout answers 408 within a body", pumaSecond, CallerBody, serveAnswers(pumaKey, 408, "first_data_timeout", 1000)),
	serveRun("first_data_timeout of zero fires at once", `{"first_data_timeout": 0}`, CallerHeader, serveCloses(pumaKey, "first_data_timeout", 0)).failing(FailsBroken),
	serveRun("first_data_timeout does not bound the handler", pumaSecond, "", serveAnswers(pumaKey, 200, "", 2500)).working(2500),
	serveRun("persistent_timeout closes an idle connection", `{"persistent_timeout": 1}`, CallerIdle, serveAnswers(pumaKey, 200, "persistent_timeout", 1000)),
	serveRun("persistent_timeout of zero closes after each answer", `{"persistent_timeout": 0}`, CallerIdle, serveAnswers(pumaKey, 200, "persistent_timeout", 0)),
	serveRun("persistent_timeout does not bound the handler", `{"persistent_timeout": 1}`, "", serveAnswers(pumaKey, 200, "", 2500)).working(2500),
	serveRun("worker_timeout does not end a handler that is stuck", `{"workers": 1, "worker_timeout": 6}`, "", serveAnswers(pumaKey, 200, "", 8500)).working(8500),
}
