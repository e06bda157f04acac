package serve_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/process"
)

// BenchmarkCommand starts the command, waits for its kubeconfig and stops it.
// It reports the median of the time until then and of the memory that is
// resident at that moment; make bench-serve runs it ten times.
func BenchmarkCommand(b *testing.B) {
	var took, resident []float64
	for b.Loop() {
		begin := time.Now()
		s := process.Start(b, binary, "--quiet")
		s.Config(b)
		took = append(took, time.Since(begin).Seconds())
		resident = append(resident, residentOf(b, s))
		if status := s.Stop(b); status != 0 {
			b.Fatalf("exit status %d: %s", status, s.Printed())
		}
	}
	b.ReportMetric(median(took), "s-to-ready")
	b.ReportMetric(median(resident), "MiB-resident")
}

// residentOf returns how much memory a process has, in MiB.
func residentOf(b *testing.B, p *process.Process) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.ID()))
	if err != nil {
		b.Skipf("only Linux tells: %v", err)
	}
	found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		b.Fatal("the kernel does not say how much memory is resident")
	}
	size, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return size / 1024
}

func median(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}
