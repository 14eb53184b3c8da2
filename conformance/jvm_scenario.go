package conformance

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
)

// A JVMScenario is one run of one product of the Java world, on each of the
// variants that it names. For a client of the catalogue Settings are the client's
// block of a stack, so that the product and tchain are given the same text.
type JVMScenario struct {
	Name     string // a sentence: what happens
	Product  string // the driver, as jvm.Scenario has it
	On       []string
	Settings string // JSON

	Server    fault.Config
	Script    *jvmScript // takes Server's place where one answer differs from the next
	Addresses int        // of the callee's name; 0 is 1
	// Proxy is a CONNECT proxy on the way; with an empty Server and no Script it is
	// the one that goes wrong.
	Proxy      fault.Mode
	Nameserver bool // names are asked of one that never answers

	Before    []jvm.Request
	PauseMS   int
	Hold      int // requests that hold a connection meanwhile
	Request   jvm.Request
	ObserveMS int // 0 is 15 s

	Predict JVMPrediction
	// Differs is what is predicted of a variant instead.
	Differs map[string]JVMPrediction
	// Unmodelled says why the model's trace says something else than Predict; ""
	// if it does not.
	Unmodelled string
}

// Why the model says something else of scenarios in several files.
const (
	takesTime     = "the model has no body that takes time and ends"
	closesUnasked = "the model has no callee that closes a connection without an answer"
)

// A JVMPrediction is what the program that makes the request and the server see.
type JVMPrediction struct {
	Status int    // 0: no header came
	Error  string // the class of the exception or of one of its causes; "" is none
	Phase  chain.Cond
	// Setting is the limit that fired, from the client's block on; "" if none did.
	Setting     string
	Attempts    int // requests that the server saw; not compared where none could arrive
	Connections int // that the server accepted; 0 is not compared
	ElapsedMS   int
	Running     bool // it is not over when the observation ends
}

// jvmNotSeen is the number of attempts where the server cannot count them.
const jvmNotSeen = -1

// jvmNone is the number of connections where there is none more.
const jvmNone = -1

func (s JVMScenario) predict(variant string) JVMPrediction {
	if p, ok := s.Differs[variant]; ok {
		return p
	}
	return s.Predict
}

// row is the name of the scenario's row of one variant.
func (s JVMScenario) row(variant string) string { return s.Name + " [" + variant + "]" }

func (s JVMScenario) request() jvm.Request { return orMeasured(s.Request) }

func orMeasured(q jvm.Request) jvm.Request {
	if q.Path == "" {
		q.Path = "/measured"
	}
	if q.Method == "" {
		q.Method = "GET"
	}
	return q
}

func (s JVMScenario) addresses() int { return max(s.Addresses, 1) }

func (s JVMScenario) https() bool {
	return s.Server.TLS || s.Script != nil && s.Script.TLS || s.Server.Mode == "" && s.Script == nil
}

// String is the prediction for people: "SocketTimeoutException at 500ms by
// client.requestConfig.responseTimeout, 1 attempt".
func (p JVMPrediction) String() string {
	var b strings.Builder
	what := p.Error
	switch {
	case p.Status != 0 && p.Error != "":
		what = fmt.Sprintf("%d and then %s", p.Status, p.Error)
	case p.Status != 0:
		what = fmt.Sprint(p.Status)
	}
	switch at := chain.Format(time.Duration(p.ElapsedMS) * time.Millisecond); {
	case p.Running && p.Status == 0:
		b.WriteString("nothing comes, without end")
	case p.Running:
		fmt.Fprintf(&b, "%d, without end", p.Status)
	case p.ElapsedMS == 0:
		b.WriteString(what + " at once")
	default:
		b.WriteString(what + " at " + at)
	}
	if p.Setting != "" {
		b.WriteString(" by " + p.Setting)
	}
	if p.Attempts > 0 {
		b.WriteString(", " + jvmPlural(p.Attempts, "attempt"))
	}
	if p.Connections > 0 {
		b.WriteString(", " + jvmPlural(p.Connections, "connection"))
	}
	return b.String()
}

func jvmPlural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// A jvmScript is what a server does with one request after the other; the last step
// stays.
type jvmScript struct {
	TLS       bool
	KeepAlive string // the value of the header in each answer
	Steps     []jvmStep
}

// A jvmStep is one answer: 200 with a short body, unless it says something else.
type jvmStep struct {
	AfterMS         int // before anything
	Silent          bool
	Close           bool // closes the connection without an answer
	Status          int
	Pieces, EveryMS int // a body of so many bytes, one after each interval
}
