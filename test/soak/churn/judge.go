package churn

import (
	"time"

	"example.com/gatehouse/test/soak/model"
	"example.com/gatehouse/test/soak/vitals"
)

// addUp takes the figures when all callers have come to their end, and judges them.
func (r *Result) addUp(c *callers, w *writer, highest vitals.Sample) {
	r.requests, r.certain = c.ended.Load(), c.certain.Load()
	r.changes, r.silences, r.events = w.changes.Load(), w.silences.Load(), w.events.Load()
	r.highest = highest
	if r.requests == 0 || r.changes == 0 {
		r.findings.Add("there were %d requests and %d changes: nothing was tested", r.requests, r.changes)
	}
	if r.findings.Count() == 0 { // or not all calls have been seen
		r.compareCalls(c.engine)
	}
	if r.took >= judged {
		r.judgeSlopes(r.world.rests.after(warmUp))
	}
}

// compareCalls holds the calls that were seen against what the engine's metrics say, and
// against what has arrived.
func (r *Result) compareCalls(e *subject) {
	var all model.Counts
	for _, k := range r.world.kinds() {
		all.Add(k.calls.counts)
		counted, err := e.counted(k.phase)
		if err != nil {
			r.findings.Add("reading the metrics: %v", err)
			return
		}
		counted.Faulty = k.calls.counts.Faulty // of which the metrics know nothing
		if counted != k.calls.counts {
			r.findings.Add("the %v calls came to %+v, but the metrics say %+v", k.phase, k.calls.counts, counted)
		}
	}
	if served := r.world.backend.Served(); served != all.Calls-all.Faulty {
		r.findings.Add("the webhooks without a fault were called %d times, but seen were %d", served, all.Calls-all.Faulty)
	}
}

// warmUp is how long a run takes until what can be cached is cached, and judged how long
// it has to be for slopes to mean something.
const (
	warmUp = 2 * time.Minute
	judged = 5 * time.Minute
)

// slope is how one of the vital numbers develops once everything has warmed up.
type slope struct {
	name, unit string
	// most is how much it may rise per minute, perMinute how much it does.
	most, perMinute float64
}

// judgeSlopes looks at whether something grows from one rest to the next. How many
// connections are kept depends on how many webhooks happen to have been called since they
// were written last, so that they go up and down by some dozen; a leak of one for every
// change would be a thousand a minute.
func (r *Result) judgeSlopes(samples []vitals.Sample) {
	const mebi = 1 << 20
	r.judgeSlope(samples, slope{name: "resident memory", unit: "MiB", most: 1}, func(s vitals.Sample) float64 { return float64(s.Resident) / mebi })
	r.judgeSlope(samples, slope{name: "heap", unit: "MiB", most: 1}, func(s vitals.Sample) float64 { return float64(s.Heap) / mebi })
	r.judgeSlope(samples, slope{name: "goroutines", most: 20}, func(s vitals.Sample) float64 { return float64(s.Goroutines) })
	r.judgeSlope(samples, slope{name: "descriptors", most: 20}, func(s vitals.Sample) float64 { return float64(s.Descriptors) })
	r.judgeSlope(samples, slope{name: "connections", most: 20}, func(s vitals.Sample) float64 { return float64(s.Sockets) })
}

func (r *Result) judgeSlope(samples []vitals.Sample, s slope, number func(vitals.Sample) float64) {
	s.perMinute = vitals.Slope(samples, number)
	r.slopes = append(r.slopes, s)
	if s.perMinute > s.most {
		r.findings.Add("%s grows by %.2f %s a minute, more than %.2f", s.name, s.perMinute, s.unit, s.most)
	}
}
