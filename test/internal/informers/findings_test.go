package informers

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestFindings has a run find what is wrong with sources.
func TestFindings(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		open    func(*Factory) ([]Subject, func(), error)
		finding string
	}
	testtable.Run(t, []row{
		{testtable.Row{"events", "a list is one change, but its events come one after the other"},
			openEvents, `a request saw`},
		{testtable.Row{"stale", "what was delivered is in force"},
			func(f *Factory) ([]Subject, func(), error) { return spoil(f, &stale{}) }, `a request saw`},
		{testtable.Row{"hasty", "before the first list there is no answer"},
			func(f *Factory) ([]Subject, func(), error) { return spoil(f, hasty{}) }, `a request saw ""`},
		{testtable.Row{"timid", "a source that was ready stays so"},
			func(f *Factory) ([]Subject, func(), error) { return spoil(f, timid{f}) }, `although it was ready before: true`},
	}, func(t *testing.T, r row) {
		synctest.Test(t, func(t *testing.T) {
			reports, err := Run(t.Context(), Story(Silent), Side{"spoiled", r.open})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(reports[0].Violations, "\n"); !strings.Contains(got, r.finding) {
				t.Errorf("found %q, want %q", got, r.finding)
			}
		})
	})
}

// openEvents opens a source that applies each event as it comes.
func openEvents(f *Factory) ([]Subject, func(), error) {
	var mu sync.Mutex
	held := map[string]string{}
	put := func(o any) {
		mu.Lock()
		defer mu.Unlock()
		held[o.(metav1.Object).GetName()] = stateOf(o.(metav1.Object))
	}
	registration, err := f.Admissionregistration().V1().ValidatingWebhookConfigurations().Informer().
		AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    put,
			UpdateFunc: func(_, o any) { put(o) },
			DeleteFunc: func(o any) {
				key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(o)
				mu.Lock()
				defer mu.Unlock()
				delete(held, key)
			},
		})
	return []Subject{{Validating, func(context.Context, string) (State, error) {
		mu.Lock()
		defer mu.Unlock()
		if !registration.HasSynced() {
			return "", ErrNotReady
		}
		var all []string
		for _, one := range held {
			all = append(all, one)
		}
		return join(all), nil
	}}}, func() {}, err
}

// spoil opens gatehouse's sources behind something else.
func spoil(f *Factory, by interface {
	answer(State, error) (State, error)
}) ([]Subject, func(), error) {
	subjects, end, err := openGatehouse(f)
	for i, s := range subjects {
		subjects[i].InForce = func(ctx context.Context, name string) (State, error) {
			if s.Resource != Validating {
				return s.InForce(ctx, name)
			}
			return by.answer(s.InForce(ctx, name))
		}
	}
	return subjects, end, err
}

// stale answers for ten seconds after a change as before.
type stale struct {
	mu         sync.Mutex
	last, next State
	since      time.Time // when next came
}

func (s *stale) answer(now State, err error) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		return now, err
	}
	if now != s.next {
		s.next, s.since = now, time.Now()
	}
	if s.last == "" || time.Since(s.since) >= 10*time.Second {
		s.last = s.next
	}
	return s.last, nil
}

// hasty takes a source that is not ready for one without webhooks.
type hasty struct{}

func (hasty) answer(now State, _ error) (State, error) { return now, nil }

// timid is not ready while the server fails.
type timid struct{ f *Factory }

func (t timid) answer(now State, err error) (State, error) {
	if fault, _ := t.f.server.current(); fault != Healthy {
		return "", ErrNotReady
	}
	return now, err
}
