package churn

import (
	"math"
	"time"

	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// addUp takes the figures when all callers have come to their end, and judges
// them.
func (r *Result) addUp(c *callers, w *writer, highest vitals.Sample) {
	r.count(c, w)
	r.highest = highest
	if r.requests == 0 || r.changes == 0 {
		r.findings.Add("there were %d requests and %d changes: nothing was tested", r.requests, r.changes)
	}
	if most := int64(lostPerCaller * r.options.Callers); r.lost > most {
		r.findings.Add("%d calls were lost on connections that the webhooks' server gave up, more than %d",
			r.lost, most)
	}
	if r.findings.Count() == 0 { // or not all calls have been seen
		r.compareCalls(c.engine)
	}
	r.countKinds()
	connected, samples, long := r.world.rests.taken()
	if r.took >= judged {
		r.judgeSlopes(vitals.After(connected, warmUp), vitals.After(samples, warmUp),
			vitals.After(long, warmUp))
	} else if r.took >= brief {
		r.judgeGrowth(samples)
	}
}

// countKinds takes what requests have met: something of each kind, if there
// were many.
func (r *Result) countKinds() {
	model.EachKind(func(k model.Kinds, name string) {
		met := max(r.world.mutating.calls.of(k), r.world.validating.calls.of(k))
		r.shares = append(r.shares, share{name, met})
		if met == 0 && r.requests >= many {
			r.findings.Add("there was no request of the kind %q", name)
		}
	})
}

// share is of how many requests a kind was.
type share struct {
	name string
	met  int64
}

// count takes the numbers of what has happened until now.
func (r *Result) count(c *callers, w *writer) {
	r.requests, r.certain, r.lost = c.ended.Load(), c.certain.Load(), c.lost.Load()
	r.changes, r.silences, r.events = w.changes.Load(), w.silences.Load(), w.events.Load()
	r.faulty = c.world.mutating.calls.faulty()
}

// compareCalls holds the calls that were seen against what the engine's metrics
// say, and against what has arrived.
func (r *Result) compareCalls(e *subject) {
	var all model.Counts
	for _, k := range r.world.kinds() {
		all.Add(k.calls.counts)
		counted, err := e.counted(k.phase)
		if err != nil {
			r.findings.Add("reading the metrics: %v", err)
			return
		}
		// Of these the metrics know nothing.
		counted.Faulty, counted.Unsent = k.calls.counts.Faulty, k.calls.counts.Unsent
		if counted != k.calls.counts {
			r.findings.Add("the %v calls came to %+v, but the metrics say %+v", k.phase,
				k.calls.counts, counted)
		}
	}
	sound := all.Calls - all.Faulty - all.Unsent
	if served := r.world.backend.Served(); served != sound {
		r.findings.Add("the webhooks without a fault were called %d times, but seen were %d", served,
			sound)
	}
}

// warmUp is how long a run takes until what can be cached is cached, and judged
// how long it has to be for slopes to mean something. In a run that is at least
// brief the first rest is compared with the last.
const (
	warmUp = 2 * time.Minute
	judged = 5 * time.Minute
	brief  = 30 * time.Second
)

// many is how many requests there have to be for every kind to be among them:
// the rarest are one in a hundred.
const many = 1000

// lostPerCaller bounds how many calls may be lost because the process did not
// run: each time, every caller may lose one.
const lostPerCaller = 2

// most is how much a number of things may rise per minute, or in a brief run.
const most = 1

// slope is how one of the vital numbers develops once everything has warmed up.
type slope struct {
	name, unit string
	// most is how much it may rise per minute, perMinute how much it does.
	most, perMinute float64
	// low and high are its extremes.
	low, high float64
}

// count is a statistic of the process that is a number of things.
type count struct {
	name   string
	number func(vitals.Sample) int
}

func counts() []count {
	return []count{
		{"goroutines", func(s vitals.Sample) int { return s.Goroutines }},
		{"descriptors", func(s vitals.Sample) int { return s.Descriptors }},
		{"connections", func(s vitals.Sample) int { return s.Sockets }},
	}
}

// judgeSlopes looks at whether something grows from one rest to the next. Idle
// connections go up and down by some dozen, so there may be more; a leak of one
// for every change would be a thousand a minute.
func (r *Result) judgeSlopes(connected, samples, long []vitals.Sample) {
	const mebi, idle = 1 << 20, 20
	if !r.options.raced { // the race detector keeps memory for all that was ever used
		r.judgeSlope(long, slope{name: "resident memory", unit: "MiB", most: 1},
			func(s vitals.Sample) float64 { return float64(s.Resident) / mebi })
	}
	r.judgeSlope(long, slope{name: "heap", unit: "MiB", most: 1},
		func(s vitals.Sample) float64 { return float64(s.Heap) / mebi })
	for _, c := range counts() {
		r.judgeSlope(samples, slope{name: c.name, most: most},
			func(s vitals.Sample) float64 { return float64(c.number(s)) })
	}
	r.judgeSlope(connected, slope{name: "connections with idle ones", most: idle},
		func(s vitals.Sample) float64 { return float64(s.Sockets) })
}

func (r *Result) judgeSlope(samples []vitals.Sample, s slope, number func(vitals.Sample) float64) {
	s.perMinute = vitals.Slope(samples, number)
	s.low, s.high = math.Inf(1), math.Inf(-1)
	for _, sample := range samples {
		s.low, s.high = min(s.low, number(sample)), max(s.high, number(sample))
	}
	r.slopes = append(r.slopes, s)
	if s.perMinute > s.most {
		r.findings.Add("%s grows by %.2f %s a minute, more than %.2f", s.name,
			s.perMinute, s.unit, s.most)
	}
}

// judgeGrowth compares the last rest of a run with its first. Memory is left
// out: it has not warmed up.
func (r *Result) judgeGrowth(samples []vitals.Sample) {
	if len(samples) < 2 {
		r.findings.Add("there were %d rests, and growth takes two", len(samples))
		return
	}
	first, last := samples[0], samples[len(samples)-1]
	for _, c := range counts() {
		g := growth{c.name, c.number(first), c.number(last)}
		r.growths = append(r.growths, g)
		if g.last > g.first+most {
			r.findings.Add("%s grow from %d at the first rest to %d at the last, by more than %d", g.name,
				g.first, g.last, most)
		}
	}
}

// growth is how a number has changed from the first rest to the last.
type growth struct {
	name        string
	first, last int
}
