package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// uvicornReadsKeepalive is the release since which uvicorn's worker class reads
// gunicorn's keepalive.
const uvicornReadsKeepalive = "0.3.6"

// gunicornWorkers are gunicorn's own worker classes by their Python names and by
// older names, with the ones that its documentation uses.
var gunicornWorkers = map[string]string{
	"gunicorn.workers.sync.SyncWorker":            "sync",
	"gunicorn.workers.gthread.ThreadWorker":       "gthread",
	"gunicorn.workers.ggevent.GeventWorker":       "gevent",
	"gunicorn.workers.ggevent.GeventPyWSGIWorker": "gevent",
	"gunicorn.workers.geventlet.EventletWorker":   "eventlet",
	"gunicorn.workers.gtornado.TornadoWorker":     "tornado",
	"gevent_wsgi":   "gevent",
	"gevent_pywsgi": "gevent",
}

// gunicornOthers are own ones of which no limit of a request is known.
var gunicornOthers = []string{"tornado"}

// adjustGunicorn settles what the worker class makes of the other settings: how
// many requests are worked on at once, and which keep-alive time counts.
func adjustGunicorn(e *effective) {
	class, workers := e.find("worker_class"), e.find("workers")
	threads, connections := e.find("threads"), e.find("worker_connections")
	if class.state != known {
		workers.mute()
		e.open = append(e.open, "worker_class is not known: it decides which limits hold")
		return
	}
	if own, ok := gunicornWorkers[class.text]; ok {
		class.text = own // limits ask for the class by it
	}
	kind := class.text
	if kind == "sync" && threads.number() > 1 {
		kind = "gthread"
	}
	switch kind {
	case "sync":
		e.answersWhenKilled(e.find("timeout"))
	case "gthread":
		workers.times(threads)
	case "gevent", "eventlet":
		workers.times(connections)
	default:
		workers.mute()
		if !strings.Contains(kind, "vicorn") && !slices.Contains(gunicornOthers, kind) {
			e.open = append(e.open, fmt.Sprintf("worker_class %s is none of gunicorn's own: which limits hold is not known", strconv.Quote(kind)))
		}
	}
	if kind == "sync" {
		e.useless(e.find("keepalive"), "the sync worker closes the connection after every answer")
	}
	if kind != "sync" && kind != "gthread" {
		e.useless(threads, "only the gthread worker has threads")
	}
	if kind != "gthread" && kind != "gevent" && kind != "eventlet" {
		e.useless(connections, "only the gthread, gevent and eventlet workers read it")
	}
	e.uvicornWorker(strings.Contains(kind, "vicorn"))
}

// gunicornAnswers is the release since which a sync worker that is told to die
// still answers 500.
const gunicornAnswers = "22"

// answersWhenKilled has the limit of a sync worker end in 500 where its release
// does that, and else in a closed connection.
func (e *effective) answersWhenKilled(timeout *setting) {
	if e.version != "" && !atLeast(e.version, gunicornAnswers) {
		return
	}
	f := *timeout.field
	f.Limits = slices.Clone(f.Limits)
	for i := range f.Limits {
		f.Limits[i].Fires = "500"
		if e.version == "" {
			f.Limits[i].FiresIf = "its version is " + gunicornAnswers + " or later"
		}
	}
	timeout.field = &f
}

// uvicornWorker settles which keep-alive time uvicorn's worker class uses.
func (e *effective) uvicornWorker(used bool) {
	keepalive, own := e.find("keepalive"), e.find("worker.uvicorn.timeout_keep_alive")
	version := e.blocks.child("worker").child("uvicorn").value("version").text()
	switch {
	case !used:
		e.useless(own, "the worker class is not uvicorn's")
		own.mute()
	case own.written():
		if keepalive.written() && keepalive.d != own.d {
			e.remark(chain.NoticeShadowed, keepalive, own, "keepalive %s is never in force; the worker's own timeout_keep_alive %s wins", keepalive.text, own.text)
		}
		keepalive.mute()
	case version != "" && !atLeast(version, uvicornReadsKeepalive):
		own.sets(int64(5), "5")
		own.origin.Source, own.origin.Text, own.origin.Place = chain.Default, "5", nil
		own.origin.Note = "uvicorn " + version + " does not read keepalive"
		if keepalive.written() {
			e.remark(chain.NoticeIgnored, keepalive, own, "keepalive %s has no effect: the worker class of uvicorn %s does not read it and closes idle connections after 5s", keepalive.text, version)
		}
		keepalive.mute()
	case tooCoarse(version, uvicornReadsKeepalive) && keepalive.written():
		e.remark(chain.NoticeBoundary, keepalive, nil, "uvicorn %s is too coarse: from %s on its worker class keeps idle connections for keepalive %s, before for 5s", version, uvicornReadsKeepalive, keepalive.text)
	}
}

// useless notes a written setting that has no effect, and why.
func (e *effective) useless(s *setting, why string) {
	if s.written() {
		e.remark(chain.NoticeIgnored, s, nil, "%s %s has no effect: %s", s.origin.Name, s.text, why)
	}
}

// adjustWorkers settles how many requests a server of processes with threads
// works on at once.
func adjustWorkers(e *effective) {
	size := e.sized(chain.Concurrency)
	for _, name := range []string{"workers", "threads"} {
		if s := e.find(name); s != nil && size != nil {
			size.times(s)
		}
	}
}

// multiply has what is written hold so many times.
func (s *setting) multiply(by int) {
	s.raw, s.each = int64(s.number()*by), max(s.each, 1)*by
}

// times makes a number of processes or threads one of requests worked on at
// once. What is written of it stays as it is.
func (s *setting) times(other *setting) {
	if s.state != known || other.state != known || other.number() < 2 {
		return
	}
	s.origin.Note = fmt.Sprintf("%s × %s %s", s.text, other.origin.Name, other.text)
	s.multiply(other.number())
}
