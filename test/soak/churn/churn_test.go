package churn

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testtable"
	"example.com/gatehouse/matching"
)

// brief is a run that a test can wait for.
var brief = Options{Duration: 3 * time.Second, Callers: 8, Cycle: time.Second, Seed: 1}

// TestRun soaks an engine for a moment. It runs alone, because connections are counted.
func TestRun(t *testing.T) {
	r, err := Run(t.Context(), brief)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.Print(&text)
	t.Logf("\n%s", &text)
	for _, v := range r.Violations() {
		t.Error(v)
	}
	for _, figure := range []struct {
		what  string
		count int64
	}{
		{"requests", r.requests}, {"faults", r.world.mutating.calls.counts.Faulty}, {"changes", r.changes}, {"silences", r.silences},
		{"events", r.events}, {"phases with one state", r.certain},
	} {
		if figure.count == 0 {
			t.Errorf("there were no %s", figure.what)
		}
	}
}

// TestRunEnds ends a run early.
func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, cancel)
	started := time.Now()
	r, err := Run(ctx, Options{Duration: time.Hour, Callers: 4, Cycle: time.Second})
	if err != nil || r.requests == 0 {
		t.Errorf("%v, %d requests", err, r.requests)
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestFindings spoils an engine and wants the run to notice.
func TestFindings(t *testing.T) {
	type row struct {
		testtable.Row
		spoil   func(*dispatcher.Config)
		finding string
	}
	// One after the other: connections are counted.
	for _, r := range testtable.Checked(t, []row{
		{testtable.Row{"stale", "a request must not see a state that had been replaced before it began"},
			func(c *dispatcher.Config) { c.Source = &stale{Source: c.Source} }, "which none of "},
		{testtable.Row{"forgetful metrics", "metrics have to add up to the calls"},
			func(c *dispatcher.Config) { c.Metrics = &forgetful{Recorder: c.Metrics} }, "but the metrics say"},
	}) {
		t.Run(r.Name(), func(t *testing.T) {
			result, err := run(t.Context(), brief, r.spoil)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(result.Violations(), "\n"); !strings.Contains(found, r.finding) {
				t.Errorf("found %q, want %q", found, r.finding)
			}
		})
	}
}

// stale is a source that looks only now and then.
type stale struct {
	dispatcher.Source
	mu   sync.Mutex
	at   time.Time
	last *matching.Snapshot
}

// Current implements dispatcher.Source.
func (s *stale) Current(ctx context.Context) (*matching.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && time.Since(s.at) < 100*time.Millisecond {
		return s.last, nil
	}
	now, err := s.Source.Current(ctx)
	s.last, s.at = now, time.Now()
	return now, err
}

// forgetful is a recorder that misses its first call.
type forgetful struct {
	dispatcher.Recorder
	once sync.Once
}

// RecordCall implements dispatcher.Recorder.
func (f *forgetful) RecordCall(ctx context.Context, c *admission.Call) {
	forgotten := false
	f.once.Do(func() { forgotten = true })
	if !forgotten {
		f.Recorder.RecordCall(ctx, c)
	}
}
