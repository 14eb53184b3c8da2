package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// A profile is asked for by hidden flags of every command; see docs/performance.md.
type profile struct {
	cpu, mem string
	file     *os.File
}

func (p *profile) addFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to a file")
	f.StringVar(&p.mem, "memprofile", "", "write a heap profile to a file")
	for _, name := range []string{"cpuprofile", "memprofile"} {
		if err := f.MarkHidden(name); err != nil {
			panic(err)
		}
	}
}

func (p *profile) start() error {
	if p.cpu == "" {
		return nil
	}
	file, err := os.Create(p.cpu)
	if err != nil {
		return usagef("--cpuprofile: %v", err)
	}
	p.file = file
	return pprof.StartCPUProfile(file)
}

// stop writes what was asked for; it is called on every way out.
func (p *profile) stop() error {
	if p.file != nil {
		pprof.StopCPUProfile()
		if err := p.file.Close(); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
	}
	if p.mem == "" {
		return nil
	}
	file, err := os.Create(p.mem)
	if err != nil {
		return fmt.Errorf("--memprofile: %w", err)
	}
	defer file.Close()
	runtime.GC()
	return pprof.WriteHeapProfile(file)
}
