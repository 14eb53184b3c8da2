package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
)

// jvmProducts are the products that the JVM's drivers run.
var jvmProducts = []string{"httpclient5", "resttemplate", "restclient", "webclient", "socket", "jdkhttp", "jdkfactory", "simplefactory", "urlconnection", "tomcat"}

func init() {
	for _, p := range jvmProducts {
		Tolerances[p] = Tolerance{
			Early: 30 * time.Millisecond,
			Late:  700 * time.Millisecond,
			// Two values of a scenario that could be taken for each other are at
			// least 800 ms apart, so that a wrong one is seen.
			MinGap: 500 * time.Millisecond,
			Why:    "the timers are exact to a few milliseconds; the classes of a first call are loaded meanwhile",
		}
	}
	late := Tolerances["tomcat"]
	late.Late, late.Why = 1900*time.Millisecond, "its poller looks for connections that are over once a second"
	Tolerances["tomcat"] = late
}

// A JVMResult is what was observed.
type JVMResult struct {
	jvm.Result
	Version string
	Seen    fault.Counts // by the server, of the measured request
}

// compareJVM says where an observation differs from the prediction, one sentence
// each; nil if they agree.
func compareJVM(s JVMScenario, p JVMPrediction, r JVMResult) []string {
	if r.Failed != "" {
		if p.Error == "" || !strings.Contains(r.Failed, p.Error) || p.Phase != condRejected {
			return []string{"it was not run: " + r.Failed}
		}
		return nil
	}
	var out []string
	differ := func(what string, p, o any) {
		if p != o {
			out = append(out, fmt.Sprintf("%s: predicted %v, observed %v", what, p, o))
		}
	}
	differ("running", p.Running, r.Running)
	differ("status", p.Status, r.Status)
	if p.Error == "" && len(r.Errors) > 0 || p.Error != "" && !slices.Contains(r.Errors, p.Error) {
		out = append(out, fmt.Sprintf("error: predicted %q, observed %s", p.Error, r.Message))
	}
	differ("phase", p.Phase, phaseOf(s, r.Result))
	if p.Attempts != jvmNotSeen {
		differ("attempts", p.Attempts, attemptsSeen(s, r.Seen))
	}
	if p.Connections != 0 {
		differ("connections", max(p.Connections, 0), r.Seen.Connections)
	}
	tol := Tolerances[s.Product]
	off := time.Duration(r.ElapsedMS-p.ElapsedMS) * time.Millisecond
	if !p.Running && !r.Running && (off < -tol.Early || off > tol.Late) {
		out = append(out, fmt.Sprintf("elapsed: predicted %d ms, observed %d ms, tolerance -%v +%v", p.ElapsedMS, r.ElapsedMS, tol.Early, tol.Late))
	}
	return out
}

// attemptsSeen is how often the product tried: requests, or where none can be
// read connections to all addresses.
func attemptsSeen(s JVMScenario, seen fault.Counts) int {
	if s.Server.Mode == fault.TLSStall {
		return seen.Connections / s.addresses()
	}
	return seen.Requests
}

// condRejected is the phase of a setting that the product's API does not have.
const condRejected chain.Cond = "rejected"

// jvmPhases are the phases that exceptions stand for, by class.
var jvmPhases = map[string]chain.Cond{
	"ConnectionRequestTimeoutException": chain.CondPoolTimeout,
	"PoolAcquireTimeoutException":       chain.CondPoolTimeout,
	"PoolAcquirePendingLimitException":  chain.CondPoolTimeout,
	"UnknownHostException":              chain.CondDNSTimeout,
	"DnsNameResolverTimeoutException":   chain.CondDNSTimeout,
	"HttpConnectTimeoutException":       chain.CondConnectTimeout,
	"ConnectTimeoutException":           chain.CondConnectTimeout,
	"ProxyConnectException":             chain.CondConnectTimeout,
	"SslHandshakeTimeoutException":      chain.CondTLSTimeout,
	"HttpHostConnectException":          chain.CondRefused,
	"ConnectException":                  chain.CondRefused,
	"ReadTimeoutException":              chain.CondTimeout,
	"SocketTimeoutException":            chain.CondTimeout,
	"HttpTimeoutException":              chain.CondTimeout,
	"TimeoutException":                  chain.CondDeadline,
	"NoHttpResponseException":           chain.CondReset,
	"SocketException":                   chain.CondReset,
	"PrematureCloseException":           chain.CondReset,
	"EOFException":                      chain.CondReset,
}

// phaseOf is the layer that ended a request: the phase in which it was.
func phaseOf(s JVMScenario, r jvm.Result) chain.Cond {
	for i, class := range r.Errors {
		cond, ok := jvmPhases[class]
		last := strings.ToLower(r.Message)
		switch {
		case !ok && i < len(r.Errors)-1:
			continue
		case r.Status != 0:
			return chain.CondCut
		case class == "ConnectTimeoutException" && strings.Contains(last, "read timed out"):
			return chain.CondTLSTimeout
		case class == "SocketTimeoutException" && strings.Contains(last, "connect timed out"):
			return chain.CondConnectTimeout
		case cond == chain.CondTimeout && (s.Proxy == fault.ProxyStall || s.Server.Mode == fault.TLSStall):
			return chain.CondTLSTimeout // the class does not tell it from a read
		case cond == chain.CondTimeout && s.Proxy == fault.ProxySilent:
			return chain.CondConnectTimeout // nor this
		}
		return cond
	}
	return ""
}
