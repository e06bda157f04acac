package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// writeRaw writes a file per side in Go's benchmark format, with a line for
// every measurement.
func writeRaw(folder string, results []result) error {
	for _, s := range both() {
		var text bytes.Buffer
		fmt.Fprintf(&text, "goos: %s\ngoarch: %s\npkg: example.com/gatehouse/test/internal/benchmark\n",
			runtime.GOOS, runtime.GOARCH)
		for _, r := range results {
			for _, one := range r.samples[s] {
				text.WriteString(benchmarkLine(r.name, one))
			}
		}
		if err := os.WriteFile(filepath.Join(folder, s.String()+".txt"), text.Bytes(),
			0o644); err != nil {
			return fmt.Errorf("writing the raw samples: %w", err)
		}
	}
	return nil
}

// benchmarkLine is a sample as `go test -bench` would print it.
func benchmarkLine(name string, one sample) string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "Benchmark%s-%d\t%d", name, runtime.GOMAXPROCS(0), one.operations)
	for _, u := range (samples{gatehouse: {one}}).units() {
		fmt.Fprintf(&text, "\t%s %s", strconv.FormatFloat(one.values[u], 'f', -1, 64), u)
	}
	text.WriteByte('\n')
	return text.String()
}

// document is results.json.
type document struct {
	Go         string
	OS, Arch   string
	Processors int
	Rounds     int
	Rows       []documentRow
}

type documentRow struct {
	Row, What string
	Below     bool
	Figures   []documentFigure
	// Gates fail a run that misses one, Goals do not.
	Gates, Goals []documentBound
}

// documentFigure leaves out what was not measured.
type documentFigure struct {
	Unit                       unit
	Upstream, Gatehouse, Ratio *float64 `json:",omitempty"`
}

type documentBound struct {
	Unit     unit
	Relation string
	Limit    float64
	Value    *float64
	Met      bool
}

// writeJSON writes the figures of the report for programs.
func writeJSON(folder string, rounds int, lines []line) error {
	d := document{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Processors: runtime.GOMAXPROCS(0), Rounds: rounds}
	for i := range lines {
		d.Rows = append(d.Rows, lines[i].document())
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "results.json"), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return nil
}

func (l *line) document() documentRow {
	d := documentRow{Row: l.name, What: l.what, Below: l.below()}
	for _, u := range l.samples.units() {
		f := l.figures[u]
		d.Figures = append(
			d.Figures, documentFigure{u, number(f.upstream), number(f.gatehouse), number(f.ratio)})
	}
	d.Gates, d.Goals = documentBounds(l.gates), documentBounds(l.goals)
	return d
}

func documentBounds(verdicts []verdict) (bounds []documentBound) {
	for _, v := range verdicts {
		bounds = append(bounds,
			documentBound{v.unit, v.relation.String(), v.limit, number(v.value), v.met})
	}
	return bounds
}

// number is nil for what JSON has no number for.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
