package dispatcher_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// phaseLog notes what a PhaseObserver is told. Records that no PhaseRecorder
// received are noted as stray.
type phaseLog struct {
	lines []string
	// silent makes BeginPhase return nil.
	silent bool
}

func (l *phaseLog) add(words ...string) { l.lines = append(l.lines, strings.Join(words, " ")) }

func (l *phaseLog) RecordMatch(_ context.Context, m *admission.Match) {
	l.add("stray match", m.Webhook.Name)
}

func (l *phaseLog) RecordCall(_ context.Context, c *admission.Call) {
	l.add("stray call", c.Webhook.Name)
}

func (l *phaseLog) BeginPhase(
	_ context.Context, phase admission.Phase, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces,
) dispatcher.PhaseRecorder {
	l.add("begin", phase.String(), a.GetName())
	if l.silent {
		return nil
	}
	return phaseRun{l}
}

type phaseRun struct{ l *phaseLog }

func (p phaseRun) RecordMatch(_ context.Context, m *admission.Match) {
	p.l.add("match", m.Stage.String())
}
func (p phaseRun) RecordCall(_ context.Context, c *admission.Call) {
	p.l.add("call", c.Outcome.String())
}
func (p phaseRun) EndPhase(err error) { p.l.add("end", testtable.Text(err)) }

// panickingPhases panics when a phase begins, or when it ends.
type panickingPhases struct {
	*phaseLog
	begins bool
}

func (p panickingPhases) BeginPhase(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) dispatcher.PhaseRecorder {
	if p.begins {
		panic("boom")
	}
	return panickingEnd{p.phaseLog.BeginPhase(ctx, phase, a, o)}
}

type panickingEnd struct{ dispatcher.PhaseRecorder }

func (panickingEnd) EndPhase(error) { panic("boom") }

// phaseCase is a request that is allowed unless err is set.
type phaseCase struct {
	row
	observer func(*phaseLog) dispatcher.Recorder
	config   func(*dispatcher.Config)
	err      string
	want     string
}

func TestPhaseObserver(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []phaseCase{{
		row:  row{"allowed", "the run is recorded between begin and end"},
		want: "begin validating web, match matched, call allowed, end ",
	}, {
		row:    row{"excluded", "the match says which stage keeps the webhooks from seeing it"},
		config: func(c *dispatcher.Config) { c.Excluded = func(schema.GroupResource) bool { return true } },
		want:   "begin validating web, match excluded resource, end ",
	}, {
		row: row{"no webhooks known", "the error of the source is the end"},
		config: func(c *dispatcher.Config) {
			c.Source = sourceFunc(func(context.Context) (*matching.Snapshot, error) { return nil, errors.New("no disk") })
		},
		err:  "Internal error occurred: no disk",
		want: "begin validating web, end Internal error occurred: no disk",
	}, {
		row: row{"panic of the source", "the phase ends with an error"},
		config: func(c *dispatcher.Config) {
			c.Source = sourceFunc(func(context.Context) (*matching.Snapshot, error) { panic("boom") })
		},
		err:  "Internal error occurred: boom",
		want: "begin validating web, end Internal error occurred: boom",
	}, {
		row:      row{"no recorder", "the observer receives the records itself"},
		observer: func(l *phaseLog) dispatcher.Recorder { l.silent = true; return l },
		want:     "begin validating web, stray match hook.example.com, stray call hook.example.com",
	}, {
		row:      row{"panic at the begin", "the observer receives the records, and the request is none the wiser"},
		observer: func(l *phaseLog) dispatcher.Recorder { return panickingPhases{l, true} },
		want:     "stray match hook.example.com, stray call hook.example.com",
	}, {
		row:      row{"panic at the end", "it does not reach the caller"},
		observer: func(l *phaseLog) dispatcher.Recorder { return panickingPhases{l, false} },
		want:     "begin validating web, match matched, call allowed",
	}}, func(t *testing.T, tc phaseCase) {
		log := &phaseLog{}
		s := one(admission.Validating, allow())
		s.config = func(c *dispatcher.Config) {
			c.Observer = log
			if tc.observer != nil {
				c.Observer = tc.observer(log)
			}
			if tc.config != nil {
				tc.config(c)
			}
		}
		r := s.run(t.Context(), t, admission.Validating)
		if testtable.Text(r.err) != tc.err {
			t.Errorf("error %v, want %q", r.err, tc.err)
		}
		if got := strings.Join(log.lines, ", "); got != tc.want {
			t.Errorf("told: %s\nwant: %s", got, tc.want)
		}
	})
}

// TestPhaseObserverBesideAnother requires that an observer of WithObserver does
// not hide the phases from the one of the Config.
func TestPhaseObserverBesideAnother(t *testing.T) {
	t.Parallel()
	log := &phaseLog{}
	s := one(admission.Validating, allow())
	s.config = func(c *dispatcher.Config) { c.Observer = log }
	response, err := simulate.Request(t.Context(), s.dispatcher(t, newResult()), creation(pod()), s.interfaces())
	if err != nil {
		t.Fatal(err)
	}
	want := "begin mutating web, end , begin validating web, match matched, call allowed, end "
	if got := strings.Join(log.lines, ", "); got != want || len(response.Calls) != 1 {
		t.Errorf("told: %s\nwant: %s; calls %v", got, want, response.Calls)
	}
}
