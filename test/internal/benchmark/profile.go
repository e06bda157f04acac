package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

const (
	profileSpan = 5 * time.Second
	// profileRate is the sampling rate of allocations in bytes: small enough to
	// see small ones.
	profileRate = 16 << 10
	// profilePods is enough of B10/pods.
	profilePods = 10_000
)

// profile measures gatehouse's side of one row again and again and writes what
// it spent time and memory on.
func (s *settings) profile(ctx context.Context, r row, out io.Writer) error {
	runtime.MemProfileRate = profileRate
	s.pods = min(s.pods, profilePods)
	b, err := r.open(ctx, s)
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	defer b.close()
	base := filepath.Join(s.out, strings.ReplaceAll(r.name, "/", "-"))
	measure := func() error {
		for start := time.Now(); time.Since(start) < profileSpan; {
			if _, err := b.measure(ctx, gatehouse); err != nil {
				return err
			}
		}
		return nil
	}
	if err := profiled(base+".cpu.pprof", measure); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	if err := writeHeap(base + ".heap.pprof"); err != nil {
		return err
	}
	const focus = `-focus='gatehouse/(dispatcher|matching|internal|admission)'`
	fmt.Fprintf(out, "%s: %s\nopen them, less what the benchmark itself does, with\n", r.name, r.what)
	fmt.Fprintf(out, "  go tool pprof -http=localhost: %s %s.cpu.pprof\n", focus, base)
	fmt.Fprintf(
		out, "  go tool pprof -http=localhost: %s -sample_index=alloc_space %s.heap.pprof\n", focus, base)
	return nil
}

// profiled writes a CPU profile of measure, unless a profile is already active.
func profiled(name string, measure func() error) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("taking a profile: %w", err)
	}
	if pprof.StartCPUProfile(file) != nil {
		return errors.Join(measure(), file.Close(), os.Remove(name))
	}
	err = measure()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}

func writeHeap(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("taking a profile: %w", err)
	}
	runtime.GC() // what was allocated since the last one is not in the profile
	return errors.Join(pprof.Lookup("heap").WriteTo(file, 0), file.Close())
}

// find returns the row of a name, or the first one below it.
func find(all []row, name string) (row, error) {
	var names []string
	for _, r := range all {
		if r.name == name || strings.HasPrefix(r.name, name+"/") {
			return r, nil
		}
		names = append(names, r.name)
	}
	return row{}, fmt.Errorf("there is no row %q; there are %s", name, strings.Join(names, ", "))
}
