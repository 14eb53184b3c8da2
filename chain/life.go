package chain

import "time"

// A Stop is how an instance of a layer is ended: it is told to stop after
// PreStop, and killed when Grace is over. The zero Stop is not declared.
type Stop struct {
	// Grace is from the decision to the kill, PreStop included; 0 kills at once.
	Grace Value
	// PreStop is the time before the stop signal, in which it serves as ever.
	PreStop Value
	// PreStopOpen says that there is one, and that nobody knows how long it takes.
	PreStopOpen bool
	// Pod says that it is a pod: its balancers let go of it at the same time.
	Pod bool
}

// Declared reports whether somebody said how the layer is stopped.
func (s Stop) Declared() bool { return s.Grace.Declared() }

// Left is the time from the stop signal to the kill, the most there can be where it is
// not known how long a preStop takes; 0 if there is none.
func (s Stop) Left() time.Duration { return max(s.Grace.D-s.PreStop.D, 0) }

// A HealthCheck is a request that somebody sends again and again to learn whether a
// layer is well.
type HealthCheck struct {
	Name string // by the product's word: "livenessProbe", "health_check"
	// Path is what it asks for; "" where that is not declared.
	Path string
	// Every is from probe to probe, Timeout how long one may take.
	Every, Timeout Value
	Fails          Size // in a row, before something is done
	// Kills says that the layer is then restarted; otherwise it gets no requests.
	Kills bool
	Pos   Range
}

// Detects is how long a layer is without an answer before something is done:
// from the first probe that fails to the end of the last one.
func (c HealthCheck) Detects() time.Duration {
	return Add(Times(max(c.Fails.N-1, 0), c.Every.D), c.Timeout.D)
}

// Notices is how long it takes at most until a layer that is gone is no longer
// used: its end may come just after a probe that was answered.
func (c HealthCheck) Notices() time.Duration { return Times(max(c.Fails.N, 1), c.Every.D) }
