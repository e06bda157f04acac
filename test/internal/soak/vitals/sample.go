package vitals

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// Sample is how the process was at a moment.
type Sample struct {
	// At is the time since the recording began; 0 in samples from Take.
	At time.Duration
	// Goroutines is how many there were.
	Goroutines int
	// Descriptors is how many files were open, of whatever kind; 0 if unknown.
	Descriptors int
	// Sockets is how many of the descriptors were sockets, listening ones
	// included; 0 if there were none or if that is unknown.
	Sockets int
	// Heap is the number of bytes after the last garbage collection; 0 before
	// the first. Later garbage would depend on the load more than on the
	// process.
	Heap int64
	// Resident is how many bytes of memory the system had given; 0 if unknown.
	Resident int64

	stacks *stacks // of the goroutines; nil if it is not from Baseline
}

// Take returns how the process is. With thousands of descriptors it takes some
// milliseconds.
func Take() Sample {
	s := Sample{Goroutines: runtime.NumGoroutine(), Heap: heap(), Resident: resident()}
	s.Descriptors, s.Sockets = descriptors()
	return s
}

// Baseline is Take for Drained, whose error then omits the goroutines of the
// Baseline. It stops the world and uses more memory than Take.
func Baseline() Sample {
	s := Take()
	s.stacks = takeStacks()
	return s
}

// String is the sample on one line, without its time.
func (s Sample) String() string {
	files, memory := "unknown", "unknown"
	if s.Descriptors > 0 {
		files = fmt.Sprintf("%d (%d sockets)", s.Descriptors, s.Sockets)
	}
	if s.Resident > 0 {
		memory = MiB(s.Resident)
	}
	return fmt.Sprintf("goroutines %d, descriptors %s, live heap %s, resident %s", s.Goroutines, files,
		MiB(s.Heap), memory)
}

// MiB writes a number of bytes in mebibytes.
func MiB(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }

// PeakResident is the most memory that the system has given the process since
// it began; 0 if unknown.
func PeakResident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		value, ok := strings.CutPrefix(line, "VmHWM:")
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		if err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}

func heap() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}

// resident reads the second number of statm, which counts pages.
func resident() int64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// descriptors counts what is open, but for the folder that it reads to know.
func descriptors() (all, sockets int) {
	const folder = "/proc/self/fd"
	open, err := os.Open(folder)
	if err != nil {
		return 0, 0
	}
	defer open.Close()
	names, err := open.Readdirnames(-1)
	if err != nil {
		return 0, 0
	}
	for _, name := range names {
		// What has been closed since has no target any more.
		target, err := os.Readlink(folder + "/" + name)
		if err != nil || target == ownFolder() {
			continue
		}
		all++
		if strings.HasPrefix(target, "socket:") {
			sockets++
		}
	}
	return all, sockets
}

// ownFolder is where /proc/self/fd leads.
func ownFolder() string { return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd" }
