package conformance

import (
	"fmt"

	"tchain.dev/tchain/conformance/fault"
)

// Drive runs one scenario on the real product. The error is about the run; what
// the product did wrong is in the Result.
func Drive(s Scenario) (Result, error) {
	switch s.Product {
	case NGINX:
		return driveNGINX(s)
	}
	return Result{}, fmt.Errorf("no driver for product %q", s.Product)
}

func driveNGINX(s Scenario) (Result, error) {
	version, err := NGINXVersion()
	if err != nil {
		return Result{}, err
	}
	var servers []*fault.Server
	for _, c := range s.Upstreams {
		f, err := fault.Start(c)
		if err != nil {
			return Result{}, err
		}
		defer f.Close()
		servers = append(servers, f)
	}
	n, err := StartNGINX(nginxConfOf(s, servers))
	if err != nil {
		return Result{}, err
	}
	defer n.Stop()

	for i := range s.Before {
		path := fmt.Sprintf("/before/%d", i)
		get(n.Addr(), path, Scenario{})
		if _, err := n.access(path); err != nil {
			return Result{}, err
		}
	}
	before := seenBy(servers)
	r := get(n.Addr(), "/measured", s)
	r.Product, r.Version = s.Product, version
	return r, n.account(&r, servers, before)
}

// account adds to a result what NGINX and the upstreams know of it.
func (n *NGINXProcess) account(r *Result, servers []*fault.Server, before fault.Counts) error {
	access, err := n.access("/measured")
	if err != nil {
		return err
	}
	failures, err := n.failures("/measured")
	if err != nil {
		return err
	}
	r.Seen = seenBy(servers).Minus(before)
	r.Attempts = attemptsOf(access)
	r.Native = access
	if len(failures) > 0 {
		last := failures[len(failures)-1]
		r.Native["error.log"] = last
		// The failure of an attempt that another one made good decides nothing.
		if r.By != Upstream || r.Cut {
			r.Setting = firedIn(last)
		}
	}
	switch {
	case r.Running:
		r.By = ""
	case r.By == "":
		r.By = NGINX
	}
	return nil
}

func seenBy(servers []*fault.Server) fault.Counts {
	var sum fault.Counts
	for _, f := range servers {
		c := f.Counts()
		sum.Connections += c.Connections
		sum.Requests += c.Requests
		sum.Answered += c.Answered
		sum.Abandoned += c.Abandoned
	}
	return sum
}
