package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A cost is what one run of a program took.
type cost struct {
	wall time.Duration
	cpu  time.Duration // of all its threads
	peak int64         // resident memory, bytes
	exit int           // its exit code
}

func (c cost) String() string {
	return fmt.Sprintf("%.2fs, CPU %.2fs, %d MB", c.wall.Seconds(), c.cpu.Seconds(), c.peak>>20)
}

// run runs a program in a directory. An exit code is no failure: it says that
// something is wrong with the stacks, which it is with a tenth of a fleet.
func run(dir string, args ...string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() > 0) {
		return cost{}, fmt.Errorf("%v in %s: %w\n%s", args, dir, err, said.Bytes())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10, cmd.ProcessState.ExitCode()}, nil
}

// turns runs several programs one after the other, in turns, so that a slow
// moment of the machine meets all alike; for each the run of the middle.
func turns(times int, dir string, programs ...[]string) ([]cost, error) {
	all := make([][]cost, len(programs))
	for range times {
		for i, args := range programs {
			c, err := run(dir, args...)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], c)
		}
	}
	out := make([]cost, len(programs))
	for i, costs := range all {
		slices.SortFunc(costs, func(a, b cost) int { return int(a.wall - b.wall) })
		out[i] = costs[len(costs)/2]
	}
	return out, nil
}

func over(a, b time.Duration) float64 { return float64(a) / float64(b) }

func overBytes(a, b int64) float64 { return float64(a) / float64(b) }
