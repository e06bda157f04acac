package main

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

type cellCase struct {
	testRow
	unit                unit
	upstream, gatehouse float64
	want                string
}

func TestCell(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []cellCase{
		{testRow{"time", "each side in the unit that suits it"}, timePerOp, 1.55e6, 310e3, "1.55ms/310µs=5"},
		{testRow{"bytes", "three digits are what a measurement has"}, bytesPerOp, 663_123, 107_000, "663kB/107kB=6.2"},
		{testRow{"allocations", "counts are not shortened"}, allocsPerOp, 4039, 8, "4039/8=505"},
		{testRow{"alone", "nothing stands for a side that was not measured"}, timePerOp, math.NaN(), 999, "999ns"},
		{testRow{"percentile", "units of single rows are times as well"}, median99, math.NaN(), 2e9, "2s"},
	}, func(t *testing.T, tc cellCase) {
		f := figure{unit: tc.unit, upstream: tc.upstream, gatehouse: tc.gatehouse, ratio: tc.upstream / tc.gatehouse}
		if got := cell(f); got != tc.want || strings.ContainsAny(got, " \t") {
			t.Errorf("want %q, got %q", tc.want, got)
		}
	})
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := row{name: "R", gates: []bound{{timePerOp, timesBetter, 5}}, goals: []bound{{timePerOp, timesBetter, 20}}}
	good := result{r, measured(timePerOp, map[side][]float64{upstream: {500}, gatehouse: {50}})}
	bad := result{r, measured(timePerOp, map[side][]float64{upstream: {500}, gatehouse: {250}})}
	var text strings.Builder
	below, err := report(&text, []line{newLine(good), newLine(bad)})
	if err != nil || below != 1 {
		t.Errorf("want 1 row below its gate, got %d, error %v", below, err)
	}
	want := `row  ratio  time           bytes  allocs  gates                            goals                                other figures
R    10     500ns/50ns=10  -      -       ok                               not yet: ns/op ratio ≥ 20 (it is 10)
R    2      500ns/250ns=2  -      -       BELOW: ns/op ratio ≥ 5 (it is 2) not yet: ns/op ratio ≥ 20 (it is 2)
`
	if diff := cmp.Diff(fields(want), fields(text.String())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// fields returns the words of each line.
func fields(text string) (lines [][]string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

func TestBenchmarkLine(t *testing.T) {
	t.Parallel()
	got := benchmarkLine("B2/1", sample{7, map[unit]float64{allocsPerOp: 3, timePerOp: 1.5, throughput: 2}})
	name, rest, _ := strings.Cut(got, "\t")
	if !strings.HasPrefix(name, "BenchmarkB2/1-") || rest != "7\t1.5 ns/op\t3 allocs/op\t2 op/s\n" {
		t.Errorf("got %q", got)
	}
}

type selectionCase struct {
	testRow
	pattern string
	name    string
	want    bool
}

func TestSelection(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []selectionCase{
		{testRow{"itself", "a name selects its row"}, "B1", "B1", true},
		{testRow{"below", "and those that belong to it"}, "B1", "B1/scale", true},
		{testRow{"longer", "but not another row that begins alike"}, "B1", "B10", false},
		{testRow{"exact", "a row below can be selected alone"}, "B1/scale", "B1", false},
		{testRow{"alternatives", "an alternative is as anchored as a single name"}, "B1|B2", "B20", false},
		{testRow{"all", "everything is the default"}, ".*", "B6/peak", true},
	}, func(t *testing.T, tc selectionCase) {
		re, err := selection(tc.pattern)
		if err != nil || re.MatchString(tc.name) != tc.want {
			t.Errorf("want %t, error %v", tc.want, err)
		}
	})
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, wrong := range [][]string{{"-rounds", "0"}, {"-rows", "("}, {"B2"}, {"-unknown"}} {
		if _, _, err := parse(wrong, &strings.Builder{}); err == nil {
			t.Errorf("%q is no error", wrong)
		}
	}
	if r, err := find(allRows(), "B7"); err != nil || r.name != "B7/fan/1" {
		t.Errorf("B7 is %q, error %v; want the first row below it", r.name, err)
	}
	if _, err := find(allRows(), "B"); err == nil {
		t.Error("a part of a name finds a row")
	}
}

// TestShares reads what pprof writes.
func TestShares(t *testing.T) {
	t.Parallel()
	const traces = `File: benchmark
Type: cpu
Duration: 1s, Total samples = 400ms
-----------+-------------------------------------------------------
     100ms   encoding/json.Marshal
             example.com/gatehouse/internal/engine/review.(*Builder).Build
             example.com/gatehouse/dispatcher.(*call).run
-----------+-------------------------------------------------------
     200ms   runtime.mallocgc (inline)
             example.com/gatehouse/internal/engine/patch.Apply
             example.com/gatehouse/dispatcher.(*call).run
-----------+-------------------------------------------------------
      60ms   runtime.gcBgMarkWorker
-----------+-------------------------------------------------------
      40ms   runtime.futex
             runtime.mcall
-----------+-------------------------------------------------------
`
	want := map[string]float64{"encoding": 25, "patching": 50, "collecting": 15, otherStage: 10}
	if diff := cmp.Diff(want, shares(traces)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
