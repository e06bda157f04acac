package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// withStatic is a source with static webhooks.
type withStatic struct {
	sourceFunc
	static sourceFunc
}

func (w withStatic) Static(ctx context.Context) (*matching.Snapshot, error) { return w.static(ctx) }

// exemptKind is a kind that configures admission.
func exemptKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicy"}
}

// staticRow is a request that matches a static webhook and one of the API.
type staticRow struct {
	row
	// pod: the request is for a pod, and not for a policy.
	pod      bool
	excluded bool
	// ready: the API's webhooks are known.
	ready bool
	// static replaces the static source.
	static sourceFunc
	// plain hides that there are static webhooks.
	plain bool

	calls []string
	// matches are the records of an observer: webhook, index and stage.
	matches []string
	err     string
}

func staticRows() []staticRow {
	nothing := func(s *matching.Snapshot, err error) sourceFunc {
		return func(context.Context) (*matching.Snapshot, error) { return s, err }
	}
	const notReady = `pods "web" is forbidden: not yet ready to handle request`
	apiExempt := []string{"api.example.com 1 exempt kind"}
	return []staticRow{{
		row: row{"pod", "S-051: static webhooks are called first"}, pod: true, ready: true,
		calls:   []string{"static.example.com 0", "api.example.com 1"},
		matches: []string{"static.example.com 0 matched", "api.example.com 1 matched"},
	}, {
		row: row{"pod, not ready", "S-010: the set is not known before all of it is"}, pod: true,
		err: notReady,
	}, {
		row: row{"policy", "S-052: static webhooks alone see the configuration of admission"}, ready: true,
		calls:   []string{"static.example.com 0"},
		matches: append(apiExempt, "static.example.com 0 matched"),
	}, {
		row:     row{"policy, not ready", "S-010: static webhooks do not wait for the API source"},
		calls:   []string{"static.example.com 0"},
		matches: []string{"static.example.com 0 matched"},
	}, {
		row: row{"policy, excluded", "S-010, S-052: excluded resources are hidden from all"}, ready: true, excluded: true,
		matches: []string{"static.example.com 0 excluded resource", "api.example.com 1 excluded resource"},
	}, {
		row: row{"policy without static webhooks", "S-010: there is a folder and nothing in it"}, ready: true,
		static: nothing(matching.NewSnapshot(nil, nil), nil), matches: apiExempt,
	}, {
		row: row{"policy, another source", "S-012: a source that does not tell has none that may see it"}, ready: true, plain: true,
		matches: []string{"static.example.com 0 exempt kind", "api.example.com 1 exempt kind"},
	}, {
		row: row{"policy, static not ready", "S-010: forbidden at once"}, ready: true,
		static: nothing(nil, dispatcher.ErrNotReady), matches: apiExempt, err: notReady,
	}, {
		row: row{"policy, static broken", "an error is not the answer that there are none"}, ready: true,
		static: nothing(nil, errors.New("disk on fire")), matches: apiExempt, err: "Internal error occurred: disk on fire",
	}, {
		row: row{"policy, static says nothing", "as for all webhooks"}, ready: true,
		static: nothing(nil, nil), matches: apiExempt,
		err: "Internal error occurred: the source of webhooks returned neither webhooks nor an error",
	}}
}

// TestStatic sends requests through both phases, with an observer and without.
func TestStatic(t *testing.T) {
	t.Parallel()
	testtable.Run(t, staticRows(), func(t *testing.T, tc staticRow) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			for _, observed := range []bool{false, true} {
				tc.run(t, phase, observed)
			}
		}
	})
}

func (tc *staticRow) run(t *testing.T, phase admission.Phase, observed bool) {
	t.Helper()
	observer := &recorder{}
	s := &testRequest{backends: backends{"static.example.com": allow(), "api.example.com": allow()}}
	if !tc.pod {
		kind := exemptKind()
		s.request.kind, s.request.resource = kind, podResource
		s.request.object = &corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: kind.GroupVersion().String(), Kind: kind.Kind},
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
		}
	}
	s.config = func(c *dispatcher.Config) {
		c.Source = tc.source(phase)
		if tc.excluded {
			c.Excluded = sets.New(podResource.GroupResource()).Has
		}
		if observed {
			c.Observer = observer
		}
	}
	r := s.run(t.Context(), t, phase)
	if got := testtable.Text(r.err); got != tc.err {
		t.Errorf("%v: error %q, want %q", phase, got, tc.err)
	}
	var calls, matches []string
	for _, c := range r.calls {
		calls = append(calls, fmt.Sprintf("%s %d", c.Webhook.Name, c.Index))
	}
	if diff := cmp.Diff(tc.calls, calls); diff != "" {
		t.Errorf("%v: calls (-want +got):\n%s", phase, diff)
	}
	for _, m := range observer.matches {
		matches = append(matches, fmt.Sprintf("%s %d %v", m.Webhook.Name, m.Index, m.Stage))
	}
	if diff := cmp.Diff(tc.matches, matches); diff != "" && observed {
		t.Errorf("%v: an observer hears (-want +got):\n%s", phase, diff)
	}
}

// source returns both webhooks as the row has them.
func (tc *staticRow) source(phase admission.Phase) dispatcher.Source {
	static := hook(phase, "static.example.com", func(w *admission.Webhook) { w.Static = true })
	all := withStatic{snapshot(static, hook(phase, "api.example.com")), snapshot(static)}
	if tc.static != nil {
		all = withStatic{snapshot(static, hook(phase, "api.example.com")), tc.static}
	}
	if !tc.ready {
		all.sourceFunc = func(context.Context) (*matching.Snapshot, error) { return nil, dispatcher.ErrNotReady }
	}
	if tc.plain {
		return all.sourceFunc
	}
	return all
}
