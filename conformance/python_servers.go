package conformance

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// pythonApp is what both serve: it takes the whole request, works, and answers.
const pythonApp = `import asyncio, time
def wsgi(environ, start_response):
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    time.sleep(0 if environ["PATH_INFO"] == "/ready" else %[1]g)
    start_response("200 OK", [("Content-Length", "3")])
    return [b"OK\n"]
async def asgi(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(0 if scope["path"] == "/ready" else %[1]g)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
    await send({"type": "http.response.body", "body": b"OK\n"})
`

// drivePythonServer runs one scenario on a server of its own.
func drivePythonServer(s BlockScenario) (Result, error) {
	return driveServing(s, pythonVersion(s.Key), func(dir string, port int) (*exec.Cmd, error) {
		cmd, err := pythonServerCommand(s, dir, port)
		if err != nil {
			return nil, err
		}
		return cmd, writeConf(filepath.Join(dir, "app.py"), fmt.Sprintf(pythonApp, float64(s.WorkMS)/1000))
	})
}

// driveServing starts a server of another language, which answers /ready without
// work, and calls it as the scenario's caller.
func driveServing(s BlockScenario, version string, prepare func(dir string, port int) (*exec.Cmd, error)) (Result, error) {
	l, err := listen(s.Key, func(dir string, port int) (*exec.Cmd, error) {
		cmd, err := prepare(dir, port)
		if cmd != nil {
			cmd.Dir = dir
		}
		return cmd, err
	})
	if err != nil {
		return Result{}, err
	}
	defer l.Stop()
	// A server of several processes listens before it has a worker, and one that has
	// just begun may close a first connection.
	r := get(l.Addr(), "/ready", Scenario{})
	for tries := 1; r.Status != 200 && tries < 5; tries++ {
		time.Sleep(200 * time.Millisecond)
		r = get(l.Addr(), "/ready", Scenario{})
	}
	if r.Status != 200 {
		return Result{}, fmt.Errorf("%s is not ready: %s: %s", s.Key, r.Error, l.out.String())
	}
	r = callServer(l.Addr(), s)
	r.Product, r.Version, r.Setting = s.Product, version, s.Predict.Setting
	return r, nil
}

func pythonServerCommand(s BlockScenario, dir string, port int) (*exec.Cmd, error) {
	var block map[string]any
	if err := json.Unmarshal(s.Block, &block); err != nil {
		return nil, err
	}
	if s.Key == "uvicorn" {
		return pythonCommand("-c", fmt.Sprintf("import json, uvicorn\nuvicorn.run('app:asgi', host='127.0.0.1', port=%d, **json.loads(%q))", port, s.Block))
	}
	var conf strings.Builder
	fmt.Fprintf(&conf, "bind = '127.0.0.1:%d'\ncontrol_socket_disable = True\ngraceful_timeout = 1\n", port)
	for _, name := range sortedKeys(block) {
		fmt.Fprintf(&conf, "%s = %s\n", name, mustJSON(block[name])) // a number or a text is written alike
	}
	path := filepath.Join(dir, "gunicorn.conf.py")
	if err := writeConf(path, conf.String()); err != nil {
		return nil, err
	}
	return pythonCommand("-m", "gunicorn", "-c", path, "app:wsgi")
}

func mustJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// PythonServerScenarios are the runs of the Python servers.
func PythonServerScenarios() []BlockScenario {
	return slices.Concat(serverRuns("gunicorn", gunicornRuns), serverRuns("uvicorn", uvicornRuns))
}

// serverRuns are the runs of a server whose product has the name of its key.
func serverRuns(key string, group []BlockScenario) []BlockScenario {
	return runsOf(key, chain.Answering, group)
}

const gunicornKills = `{"timeout": 2}`

var gunicornRuns = []BlockScenario{
	serveRun("timeout kills a sync worker that works, which still answers 500", gunicornKills, "", serveAnswers("gunicorn", 500, "timeout", 2000)).working(7000),
	serveRun("timeout kills a sync worker within a header", gunicornKills, CallerHeader, serveAnswers("gunicorn", 500, "timeout", 2000)),
	serveRun("timeout kills a sync worker within a header that drips", gunicornKills, CallerDrip, serveAnswers("gunicorn", 500, "timeout", 2000)),
	serveRun("timeout kills a sync worker within a body", gunicornKills, CallerBody, serveAnswers("gunicorn", 500, "timeout", 2000)),
	serveRun("timeout kills a sync worker on a connection that sends nothing", gunicornKills, CallerMute, serveAnswers("gunicorn", 500, "timeout", 2000)),
	serveRun("a handler inside timeout answers", `{"timeout": 3}`, "", serveAnswers("gunicorn", 200, "", 700)).working(700),
	serveRun("a timeout of zero is none", `{"timeout": 0}`, CallerHeader, Prediction{Running: true}).observing(3500),
	serveRun("a sync worker keeps no connection, whatever keepalive says", `{"keepalive": 5}`, CallerIdle, serveAnswers("gunicorn", 200, "", 0)).but("the model has a server keep a connection that no limit of it closes"),
	serveRun("timeout does not bound the handler of a gthread worker", `{"timeout": 1, "threads": 2}`, "", serveAnswers("gunicorn", 200, "", 3500)).working(3500),
	serveRun("keepalive closes an idle connection of a gthread worker", `{"keepalive": 1, "threads": 2}`, CallerIdle, serveAnswers("gunicorn", 200, "keepalive", 1000)),
	serveRun("keepalive not written is 2 s", `{"threads": 2}`, CallerIdle, serveAnswers("gunicorn", 200, "keepalive", 2000)),
	serveRun("timeout does not bound the handler of a gevent worker", `{"timeout": 1, "worker_class": "gevent"}`, "", serveAnswers("gunicorn", 200, "", 3500)).working(3500),
	serveRun("keepalive closes an idle connection of a gevent worker", `{"keepalive": 1, "worker_class": "gevent"}`, CallerIdle, serveAnswers("gunicorn", 200, "keepalive", 1000)),
}

var uvicornRuns = []BlockScenario{
	serveRun("timeout_keep_alive closes an idle connection", `{"timeout_keep_alive": 1}`, CallerIdle, serveAnswers("uvicorn", 200, "timeout_keep_alive", 1000)),
	serveRun("timeout_keep_alive not written is 5 s", `{}`, CallerIdle, serveAnswers("uvicorn", 200, "timeout_keep_alive", 5000)),
	serveRun("a header is waited for without end", `{"timeout_keep_alive": 1}`, CallerHeader, Prediction{Running: true}).observing(2500),
	serveRun("a connection that sends nothing is kept", `{"timeout_keep_alive": 1}`, CallerMute, Prediction{Running: true}).observing(2500),
	serveRun("a body is waited for without end", `{"timeout_keep_alive": 1}`, CallerBody, Prediction{Running: true}).observing(2500),
	serveRun("no limit of it bounds the handler", `{"timeout_keep_alive": 1}`, "", serveAnswers("uvicorn", 200, "", 2500)).working(2500),
}
