package vitals_test

import (
	"context"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// The tests of this package run one after the other, because each of them looks
// at the whole process.

type row = testtable.Row

// needsProc skips where numbers of descriptors are unknown.
func needsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		testenv.Missing(t, "there is no /proc")
	}
}

func TestSlope(t *testing.T) {
	type slopeCase struct {
		row
		numbers []int // one a second
		want    float64
	}
	for _, tc := range testtable.Checked(t, []slopeCase{
		{row{"none", "a run that ends at once has a slope, too"}, nil, 0},
		{row{"one", "a point has no direction"}, []int{7}, 0},
		{row{"flat", "what stays is no leak"}, []int{7, 7, 7, 7}, 0},
		{row{"rising", "one more a second is 60 more a minute"}, []int{1, 2, 3, 4}, 60},
		{row{"falling", "the sign counts"}, []int{8, 6, 4}, -120},
		{row{"scattered", "ups and downs even out"}, []int{0, 4, 1, 5}, 60 * 1.2},
	}) {
		var samples []vitals.Sample
		for i, n := range tc.numbers {
			samples = append(samples, vitals.Sample{At: time.Duration(i) * time.Second, Goroutines: n})
		}
		got := vitals.Slope(samples, func(s vitals.Sample) float64 { return float64(s.Goroutines) })
		if difference := got - tc.want; difference < -1e-6 || difference > 1e-6 {
			t.Errorf("%s: slope %v, want %v (%s)", tc.Name(), got, tc.want, tc.Why())
		}
	}
}

func TestSlopeOfOneMoment(t *testing.T) {
	samples := []vitals.Sample{{Goroutines: 1}, {Goroutines: 5}}
	if got := vitals.Slope(samples, func(s vitals.Sample) float64 { return float64(s.Goroutines) }); got != 0 {
		t.Errorf("two samples of the same time have the slope %v", got)
	}
}

func TestAfterAndHighest(t *testing.T) {
	samples := []vitals.Sample{
		{At: 1, Goroutines: 9, Descriptors: 1, Sockets: 1, Heap: 1, Resident: 9},
		{At: 2, Goroutines: 1, Descriptors: 9, Sockets: 8, Heap: 9, Resident: 1},
	}
	want := vitals.Sample{At: 2, Goroutines: 9, Descriptors: 9, Sockets: 8, Heap: 9, Resident: 9}
	if got := vitals.Highest(samples); got != want {
		t.Errorf("highest: got %+v, want %+v", got, want)
	}
	if got := vitals.After(samples, 2); len(got) != 1 || got[0].At != 2 {
		t.Errorf("after 2: %+v", got)
	}
	if got := vitals.After(samples, 3); got != nil {
		t.Errorf("after 3: %+v", got)
	}
}

func TestTakeSeesSockets(t *testing.T) {
	needsProc(t)
	before := vitals.Take()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// The first socket brings along what the runtime polls with.
	during := vitals.Take()
	if during.Sockets != before.Sockets+1 || during.Descriptors < before.Descriptors+2 {
		t.Errorf("before %s, with a listener and a file %s", before, during)
	}
	if during.Resident < 1<<20 || vitals.PeakResident() < during.Resident/2 {
		t.Errorf("resident %d, at most %d", during.Resident, vitals.PeakResident())
	}
}

func TestSampleSaysWhatIsUnknown(t *testing.T) {
	got := vitals.Sample{Goroutines: 3, Heap: 3 << 19}.String()
	if want := "goroutines 3, descriptors unknown, live heap 1.5 MiB, resident unknown"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = vitals.Sample{Goroutines: 3, Descriptors: 5, Sockets: 2, Resident: 1 << 20}.String()
	if want := "goroutines 3, descriptors 5 (2 sockets), live heap 0.0 MiB, resident 1.0 MiB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRisingHeap: what is kept shows as a slope.
func TestRisingHeap(t *testing.T) {
	recorder := vitals.Record(5 * time.Millisecond)
	var kept [][]byte
	seen := func() int { return len(recorder.Samples()) }
	for range 20 {
		kept = append(kept, make([]byte, 1<<20))
		runtime.GC()
		before := seen()
		wait(t, "another sample", func() bool { return seen() > before })
	}
	recorder.Stop()
	samples := recorder.Samples()
	slope := vitals.Slope(samples, func(s vitals.Sample) float64 { return float64(s.Heap) })
	grown := float64(len(kept) << 20)
	if took := samples[len(samples)-1].At.Minutes(); slope*took < grown/20 || slope*took > grown*2 {
		t.Errorf("%.0f bytes were kept in %.4f min, and the slope is %.0f per minute", grown, took, slope)
	}
	if highest := recorder.Highest(); highest.Heap < int64(len(kept)<<20) {
		t.Errorf("the highest heap is %d", highest.Heap)
	}
	runtime.KeepAlive(kept)
}

// TestRecorderKeepsFew: the size of a recording is bounded, its span is not.
func TestRecorderKeepsFew(t *testing.T) {
	before := vitals.Take()
	recorder := vitals.Record(time.Microsecond)
	most := 0
	wait(t, "a sample to be forgotten", func() bool {
		n := len(recorder.Samples())
		most = max(most, n)
		return n < most
	})
	recorder.Stop()
	recorder.Stop()
	samples := recorder.Samples()
	if most > 1024 || len(samples) > 1024 {
		t.Errorf("%d samples were kept", most)
	}
	last := samples[len(samples)-1].At
	if first := samples[0].At; first > last/10 {
		t.Errorf("the first sample is of %s, the last of %s", first, last)
	}
	for i := range samples[1:] {
		if samples[i+1].At <= samples[i].At {
			t.Errorf("sample %d is of %s, the one before of %s", i+1, samples[i+1].At, samples[i].At)
		}
	}
	if err := vitals.Drained(t.Context(), before, 2*time.Minute); err != nil {
		t.Errorf("the recorder has not ended: %v", err)
	}
}

func TestDrainedWaits(t *testing.T) {
	before := vitals.Take()
	done := make(chan struct{})
	go leak(done)
	time.AfterFunc(20*time.Millisecond, func() { close(done) })
	if err := vitals.Drained(t.Context(), before, 2*time.Minute); err != nil {
		t.Error(err)
	}
}

// TestDrainedNamesGoroutines: the error has the stack of the leaked goroutine.
func TestDrainedNamesGoroutines(t *testing.T) {
	done := make(chan struct{})
	defer end(t, vitals.Take(), done)
	for range 2 {
		go leak(done)
	}
	for range 5 {
		go stay(done)
	}
	parked(t, "vitals_test.leak", 2)
	parked(t, "vitals_test.stay", 5)
	plain, before := vitals.Take(), vitals.Baseline()
	for range 3 {
		go leak(done)
	}
	parked(t, "vitals_test.leak", 5)
	text := testtable.Text(vitals.Drained(t.Context(), before, 20*time.Millisecond))
	_, stacks, _ := strings.Cut(text, ":\n")
	if !strings.HasPrefix(stacks, "3 at\n") || !strings.Contains(stacks, "vitals_test.leak") || strings.Contains(stacks, "vitals_test.stay") {
		t.Errorf("got %s", text)
	}
	text = testtable.Text(vitals.Drained(t.Context(), plain, 20*time.Millisecond))
	if !strings.Contains(text, "5 at\n") || !strings.Contains(text, "vitals_test.stay") {
		t.Errorf("without a baseline: got %s", text)
	}
}

// TestDrainedIsBounded: the error has only a part of a hundred different
// stacks.
func TestDrainedIsBounded(t *testing.T) {
	before := vitals.Baseline()
	done := make(chan struct{})
	defer end(t, before, done)
	for depth := range 100 {
		go sink(depth, done)
	}
	parked(t, "vitals_test.sink", 100)
	text := testtable.Text(vitals.Drained(t.Context(), before, 20*time.Millisecond))
	if most := 8<<10 + 200; len(text) > most || !strings.HasSuffix(text, "…\n") || !strings.Contains(text, "vitals_test.sink") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

func TestDrainedSeesSockets(t *testing.T) {
	needsProc(t)
	before := vitals.Baseline()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := testtable.Text(vitals.Drained(ctx, before, time.Hour))
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "sockets are left") || !strings.HasSuffix(text, ":\nnone\n") {
		t.Errorf("got %q", text)
	}
	if err := vitals.Drained(t.Context(), before, 2*time.Minute); err != nil {
		t.Error(err)
	}
}

// end releases a test's goroutines and waits for them, because the next test
// counts them too.
func end(t *testing.T, before vitals.Sample, done chan<- struct{}) {
	t.Helper()
	close(done)
	if err := vitals.Drained(t.Context(), before, 2*time.Minute); err != nil {
		t.Error(err)
	}
}

func leak(done <-chan struct{}) { <-done }

func stay(done <-chan struct{}) { <-done }

// sink waits at a stack depth, so that every depth has a different stack.
func sink(depth int, done <-chan struct{}) {
	if depth > 0 {
		sink(depth-1, done)
		return
	}
	<-done
}

// parked waits until so many goroutines wait that have a function in their
// stack: one that has not come to wait yet has another stack than it will have.
func parked(t *testing.T, function string, count int) {
	t.Helper()
	wait(t, function, func() bool {
		all := make([]byte, 1<<20)
		all = all[:runtime.Stack(all, true)]
		n := 0
		for stack := range strings.SplitSeq(string(all), "\n\n") {
			head, _, _ := strings.Cut(stack, "\n")
			if strings.Contains(head, "[chan receive") && strings.Contains(stack, function+"(") {
				n++
			}
		}
		return n == count
	})
}

// wait polls until something is true.
func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
