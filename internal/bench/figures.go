package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
)

// oneStack is a whole process, cold, on one stack.
func (b *bench) oneStack() error {
	dir, err := b.write("one", map[string][]byte{"s0000/stack.cue": stack(0, true)})
	if err != nil {
		return err
	}
	costs, err := turns(9, filepath.Join(dir, "s0000"), []string{b.tchain, "check"}, []string{b.cue, "vet", "-c"})
	if err != nil {
		return err
	}
	figure("one stack, cold: tchain check against cue vet -c", "at most 1", "%.2f  (%v; %v)", over(costs[0].wall, costs[1].wall), costs[0], costs[1])
	return nil
}

func (b *bench) fleet(n int) error {
	dir, err := b.stacks("fleet", n, false)
	if err != nil {
		return err
	}
	check := []string{b.tchain, "check", "./..."}
	costs, err := turns(3, dir, check, []string{b.cue, "vet", "-c", "./..."})
	if err != nil {
		return err
	}
	ours, vet := costs[0], costs[1]
	figure(fmt.Sprintf("%d stacks: time against cue vet -c ./...", n), "at most 0.25", "%.2f  (%v; %v)", over(ours.wall, vet.wall), ours, vet)
	figure(fmt.Sprintf("%d stacks: peak memory against cue vet -c ./...", n), "at most 0.2", "%.2f", overBytes(ours.peak, vet.peak))
	parse, err := parsed(dir)
	if err != nil {
		return err
	}
	figure(fmt.Sprintf("%d stacks: reading and parsing the same bytes, of the check", n), "", "%.2f  (%.2fs)", over(parse, ours.wall), parse.Seconds())
	twice, err := b.stacks("fleet", 2*n, false)
	if err != nil {
		return err
	}
	c, err := run(twice, check...)
	if err != nil {
		return err
	}
	figure(fmt.Sprintf("%d stacks: peak memory against that of %d", 2*n, n), "at most 1.2", "%.2f  (%v)", overBytes(c.peak, ours.peak), c)
	figure(fmt.Sprintf("%d stacks: time against that of %d", 2*n, n), "about 2", "%.2f", over(c.wall, ours.wall))
	return nil
}

// written is what reports and files of a fleet cost beside the check of it. An
// emitter writes nothing of a fleet with a stack that it cannot read.
func (b *bench) written(n int) error {
	dir, err := b.stacks("readable", n, true)
	if err != nil {
		return err
	}
	costs, err := turns(3, dir, []string{b.tchain, "check", "./..."}, []string{b.tchain, "report", "./...", "--format", "json"}, []string{b.tchain, "emit", "nginx", "./..."})
	if err != nil {
		return err
	}
	for i, what := range []string{"report", "emit nginx"} {
		figure(fmt.Sprintf("%d stacks: %s against check", n, what), "at most 2", "%.2f  (%v; %v)", over(costs[i+1].wall, costs[0].wall), costs[i+1], costs[0])
	}
	return nil
}

func (b *bench) manyRoutes(n int) error {
	var costs [2]cost
	for i, routes := range []int{n / 10, n} {
		dir, err := b.routes(routes)
		if err != nil {
			return err
		}
		all, err := turns(3, filepath.Join(dir, "large"), []string{b.tchain, "check"})
		if err != nil {
			return err
		}
		if costs[i] = all[0]; costs[i].exit != 0 {
			return fmt.Errorf("the stack of %d routes is to be clean, and check ends with %d", routes, costs[i].exit)
		}
	}
	figure(fmt.Sprintf("one stack of %d routes: time against %d", n, n/10), "at most 12", "%.1f  (%v; %v)", over(costs[1].wall, costs[0].wall), costs[1], costs[0])
	figure(fmt.Sprintf("one stack of %d routes: peak memory", n), "160 MB", "%d MB", costs[1].peak>>20)
	return nil
}

// model is the timing model alone, on one core.
func (b *bench) model() error {
	out, err := exec.Command("go", "test", "./chain", "-run", "^$", "-bench", "^BenchmarkPlay$", "-benchmem", "-cpu", "1").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	plays := regexp.MustCompile(`([\d.e+]+) plays/s`).FindSubmatch(out)
	if plays == nil {
		return fmt.Errorf("no plays/s in\n%s", out)
	}
	var persecond float64
	if _, err := fmt.Sscan(string(plays[1]), &persecond); err != nil {
		return err
	}
	figure("the timing model, route × fault evaluations a second", "100 000", "%.0f", persecond)
	return nil
}
