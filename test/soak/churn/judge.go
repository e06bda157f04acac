package churn

import (
	"time"

	"example.com/gatehouse/test/soak/vitals"
)

// warmUp is how long a run takes until what can be cached is cached, and judged how long
// it has to be for slopes to mean something.
const (
	warmUp = 2 * time.Minute
	judged = 5 * time.Minute
)

// addUp takes the figures when all callers have come to their end, and judges them.
func (r *Result) addUp(c *callers, w *writer, recorder *vitals.Recorder) {
	r.requests, r.certain = c.ended.Load(), c.certain.Load()
	r.changes, r.silences, r.events = w.changes.Load(), w.silences.Load(), w.events.Load()
	r.highest, r.resident = recorder.Highest(), vitals.PeakResident()
	if r.requests == 0 || r.changes == 0 {
		r.findings.Add("there were %d requests and %d changes: nothing was tested", r.requests, r.changes)
	}
	r.compareMetrics(c.engine)
	r.judgeSlopes(recorder.Samples())
}

// compareMetrics holds the engine's metrics against the calls that were seen. If there
// were violations, not all calls have been seen.
func (r *Result) compareMetrics(e *engine) {
	if r.findings.Count() > 0 {
		return
	}
	for _, k := range r.world.kinds() {
		counted, err := e.counted(k.phase)
		if err != nil {
			r.findings.Add("reading the metrics: %v", err)
			continue
		}
		counted.Faulty = k.calls.counts.Faulty // of which the metrics know nothing
		if counted != k.calls.counts {
			r.findings.Add("the %v calls came to %+v, but the metrics say %+v", k.phase, k.calls.counts, counted)
		}
	}
}

// judgeSlopes looks at whether something grows.
func (r *Result) judgeSlopes(samples []vitals.Sample) {
	if r.took < judged {
		return
	}
	const mebi = 1 << 20
	warm := vitals.After(samples, warmUp)
	for _, s := range []struct {
		slope
		number func(vitals.Sample) float64
	}{
		{slope{name: "resident memory", most: 1, unit: "MiB"}, func(s vitals.Sample) float64 { return float64(s.Resident) / mebi }},
		{slope{name: "heap", most: 1, unit: "MiB"}, func(s vitals.Sample) float64 { return float64(s.Heap) / mebi }},
		{slope{name: "goroutines", most: 10, unit: "goroutines"}, func(s vitals.Sample) float64 { return float64(s.Goroutines) }},
		{slope{name: "descriptors", most: 10, unit: "descriptors"}, func(s vitals.Sample) float64 { return float64(s.Descriptors) }},
		{slope{name: "connections", most: 10, unit: "sockets"}, func(s vitals.Sample) float64 { return float64(s.Sockets) }},
	} {
		s.perMinute = vitals.Slope(warm, s.number)
		r.slopes = append(r.slopes, s.slope)
		if s.perMinute > s.most {
			r.findings.Add("%s grows by %.2f %s a minute, more than %.2f", s.name, s.perMinute, s.unit, s.most)
		}
	}
}
