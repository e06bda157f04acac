package tally

import (
	"time"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog"
)

// Report has the counts of a log.
type Report struct {
	// Requests is the number of requests that were examined, Denied those that webhooks and
	// policies denied.
	Requests int `json:"requests"`
	Denied   int `json:"denied"`
	// Levels is the number of requests by level.
	Levels map[auditv1.Level]int `json:"levels"`
	// Truncated is the number of events whose bodies the log backend dropped.
	Truncated int `json:"truncated,omitempty"`
	// Webhooks are sorted by changes, and Idle those that changed and denied nothing.
	Webhooks []Webhook `json:"webhooks"`
	Idle     []string  `json:"idle"`
	Policies []Policy  `json:"policies"`
	// Annotations are the audit annotations of webhooks and policies.
	Annotations []Annotation `json:"annotations"`
	// Latency is the time of the phases in slow requests.
	Latency []Latency `json:"latency"`
	// Objects are those with the most writes, and Writers the users and webhooks with the
	// most writes.
	Objects []Object `json:"objects"`
	Writers []Writer `json:"writers"`
	// Dropped is the number of objects that were dropped to bound the memory, and Uncounted
	// the number of names.
	Dropped   int `json:"dropped,omitempty"`
	Uncounted int `json:"uncounted,omitempty"`
}

// maxNames bounds the webhooks, policies and writers.
const maxNames = 10000

// Tally collects a Report.
type Tally struct {
	report   Report
	webhooks map[webhookKey]*Webhook
	policies map[policyKey]*Policy
	notes    map[auditlog.Owned]int
	latency  [2]Latency
	objects  *objects
}

// New returns an empty Tally.
func New() *Tally {
	t := &Tally{
		report:   Report{Levels: map[auditv1.Level]int{}},
		webhooks: map[webhookKey]*Webhook{},
		policies: map[policyKey]*Policy{},
		notes:    map[auditlog.Owned]int{},
		objects:  newObjects(),
	}
	t.latency[0].Phase, t.latency[1].Phase = "mutating", "validating"
	return t
}

// Add counts an event.
func (t *Tally) Add(e *auditlog.Event) {
	t.report.Requests++
	t.report.Levels[e.Level]++
	if e.Truncated {
		t.report.Truncated++
	}
	t.latency[0].add(e.MutatingLatency)
	t.latency[1].add(e.ValidatingLatency)
	for i := range e.Calls {
		t.addCall(e, &e.Calls[i])
	}
	t.addDenial(e)
	for _, f := range e.Failures {
		t.addFailure(f)
	}
	for _, o := range e.Owned {
		if e.IsSecret() {
			break // the key may quote data
		}
		counted(t, t.notes, o, func(n int) int { return n + 1 })
	}
	t.objects.add(e)
}

// Report returns what was counted.
func (t *Tally) Report() *Report {
	r := t.report
	r.Webhooks, r.Idle = t.rows()
	r.Policies, r.Annotations = t.policyRows(), t.annotations()
	r.Latency = []Latency{}
	for _, l := range t.latency {
		if l.Requests > 0 {
			r.Latency = append(r.Latency, l)
		}
	}
	r.Objects, r.Writers = t.objects.top(), t.objects.topWriters()
	r.Dropped = t.objects.byKey.Dropped()
	return &r
}

// counted changes the value of a key, unless there are too many keys.
func counted[K comparable, V any](t *Tally, in map[K]V, key K, change func(V) V) {
	value, ok := in[key]
	if !ok && len(in) >= maxNames {
		t.report.Uncounted++
		return
	}
	in[key] = change(value)
}

// Latency is the time that the webhooks of a phase took in the requests that were slow:
// servers write it for requests of more than half a second.
type Latency struct {
	Phase    string        `json:"phase"`
	Requests int           `json:"requests"`
	Longest  time.Duration `json:"longestNanoseconds"`
	Total    time.Duration `json:"totalNanoseconds"`
}

func (l *Latency) add(d time.Duration) {
	if d > 0 {
		l.Requests++
		l.Longest = max(l.Longest, d)
		l.Total += d
	}
}
