package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

func TestStoreIsNotReadyBeforeTheFirstSet(t *testing.T) {
	t.Parallel()
	s := NewStore()
	if snapshot, err := s.Current(t.Context()); snapshot != nil || !errors.Is(err, dispatcher.ErrNotReady) {
		t.Errorf("Current() = %v, %v; want nothing and ErrNotReady", snapshot, err)
	}

	s.Set(nil, nil)
	if diff := cmp.Diff(order{}, orderOf(current(t, s))); diff != "" {
		t.Errorf("an empty set is a set (-want +got):\n%s", diff)
	}
}

func TestStoreIgnoresAFinishedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := NewStore()
	s.Set(nil, nil)
	if _, err := s.Current(ctx); err != nil {
		t.Errorf("there is nothing to wait for, so a finished context is no reason to fail: %v", err)
	}
}

type orderCase struct {
	row
	mutating   []*registrationv1.MutatingWebhookConfiguration
	validating []*registrationv1.ValidatingWebhookConfiguration
	want       order
}

func TestStoreOrder(t *testing.T) {
	t.Parallel()
	testtable.Run(t, orderCases(), func(t *testing.T, tc orderCase) {
		given := slices.Clone(tc.mutating)
		s := NewStore()
		s.Set(tc.mutating, tc.validating)

		if diff := cmp.Diff(tc.want, orderOf(current(t, s))); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		if !slices.Equal(given, tc.mutating) {
			t.Error("the caller's slice was reordered")
		}
	})
}

func orderCases() []orderCase {
	return []orderCase{{
		row: row{"by bytes", "upper case comes before lower case and 10 before 2: no locale, no numbers (S-061)"},
		mutating: []*registrationv1.MutatingWebhookConfiguration{
			mutating("a2", "w"), mutating("b", "w"), mutating("a10", "w"), mutating("B", "w"), mutating("a", "w"),
		},
		want: order{Mutating: []string{"B/w/0", "a/w/0", "a10/w/0", "a2/w/0", "b/w/0"}},
	}, {
		row: row{"list order inside", "only configurations are sorted, webhooks stay as they were written (S-061)"},
		validating: []*registrationv1.ValidatingWebhookConfiguration{
			validating("b", "z", "y"), validating("a", "x", "c"),
		},
		want: order{Validating: []string{"a/x/0", "a/c/0", "b/z/0", "b/y/0"}},
	}, {
		row:      row{"equal webhook names", "the uid counts namesakes within a configuration (S-062)"},
		mutating: []*registrationv1.MutatingWebhookConfiguration{mutating("a", "x", "y", "x"), mutating("b", "x")},
		want:     order{Mutating: []string{"a/x/0", "a/y/0", "a/x/1", "b/x/0"}},
	}, {
		row: row{"equal configuration names", "a mistake of the caller, which must not cost a webhook"},
		validating: []*registrationv1.ValidatingWebhookConfiguration{
			validating("b", "z"), validating("a", "x", "w"), validating("a", "y"),
		},
		want: order{Validating: []string{"a/x/0", "a/w/0", "a/y/0", "b/z/0"}},
	}, {
		row:        row{"kinds apart", "the two kinds may use the same names and do not mix"},
		mutating:   []*registrationv1.MutatingWebhookConfiguration{mutating("a", "m")},
		validating: []*registrationv1.ValidatingWebhookConfiguration{validating("a", "v")},
		want:       order{Mutating: []string{"a/m/0"}, Validating: []string{"a/v/0"}},
	}, {
		row:      row{"without webhooks", "a configuration may have no webhooks"},
		mutating: []*registrationv1.MutatingWebhookConfiguration{mutating("a"), mutating("b", "w")},
		want:     order{Mutating: []string{"b/w/0"}},
	}}
}

type recompileCase struct {
	row
	// change makes the second state of configuration "b" from a copy of the
	// first.
	change func(*registrationv1.MutatingWebhookConfiguration)
	kept   bool
}

func TestStoreRecompilesWhatChanged(t *testing.T) {
	t.Parallel()
	testtable.Run(t, recompileCases(), func(t *testing.T, tc recompileCase) {
		a, b := mutating("a", "w"), mutating("b", "w")
		v := validating("b", "w")
		s := NewStore()
		s.Set([]*registrationv1.MutatingWebhookConfiguration{a, b},
			[]*registrationv1.ValidatingWebhookConfiguration{v})
		before := current(t, s)

		changed := b.DeepCopy()
		tc.change(changed)
		s.Set([]*registrationv1.MutatingWebhookConfiguration{changed, a},
			[]*registrationv1.ValidatingWebhookConfiguration{v})
		after := current(t, s)

		if got := before == after; got != tc.kept {
			t.Errorf("snapshot kept: %t, want %t", got, tc.kept)
		}
		if !same(before, after, admission.Mutating, 0) || !same(before, after, admission.Validating, 0) {
			t.Error("a configuration that has not changed was compiled again")
		}
		if got := same(before, after, admission.Mutating, 1); got != tc.kept {
			t.Errorf("compiled webhook kept: %t, want %t", got, tc.kept)
		}
	})
}

func same(before, after *matching.Snapshot, p admission.Phase, i int) bool {
	return before.Webhooks(p)[i] == after.Webhooks(p)[i]
}

func recompileCases() []recompileCase {
	return []recompileCase{{
		row:    row{"another object", "a relist delivers equal configurations as new objects"},
		change: func(*registrationv1.MutatingWebhookConfiguration) {},
		kept:   true,
	}, {
		row: row{"metadata only", "labels and managed fields say nothing about webhooks"},
		change: func(c *registrationv1.MutatingWebhookConfiguration) {
			c.Labels, c.ResourceVersion = map[string]string{"a": "b"}, "2"
		},
		kept: true,
	}, {
		row: row{"same version, other content", "a copy on disk keeps its resourceVersion when it is edited"},
		change: func(c *registrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0].MatchConditions = []registrationv1.MatchCondition{{Name: "n", Expression: "true"}}
		},
	}, {
		row: row{"behind a pointer", "what a pointer points at counts, not the pointer"},
		change: func(c *registrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0].TimeoutSeconds = new(int32(3))
		},
	}, {
		row: row{"renamed webhook", "the uid is part of what is compiled"},
		change: func(c *registrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0].Name = "other"
		},
	}}
}

func TestStoreForgetsWhatIsGone(t *testing.T) {
	t.Parallel()
	a := []*registrationv1.MutatingWebhookConfiguration{mutating("a", "w")}
	s := NewStore()
	s.Set(a, nil)
	first := current(t, s)
	s.Set(nil, nil)
	if diff := cmp.Diff(order{}, orderOf(current(t, s))); diff != "" {
		t.Errorf("a deleted configuration is still in force (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(order{Mutating: []string{"a/w/0"}}, orderOf(first)); diff != "" {
		t.Errorf("a snapshot in use has changed (-want +got):\n%s", diff)
	}
	s.Set(a, nil)
	if same(first, current(t, s), admission.Mutating, 0) {
		t.Error("a configuration that comes back is compiled anew")
	}
}

// TestRandomSets replaces random lists, which differ in few or in many
// configurations. The snapshot must equal one that is built from scratch.
func TestRandomSets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	s, kept := NewStore(), map[string]*registrationv1.ValidatingWebhookConfiguration{}
	for step := range 300 {
		for range []int{1, 3, 100}[step%3] {
			name := fmt.Sprintf("c%02d", random.Intn(90))
			if delete(kept, name); random.Intn(3) > 0 {
				kept[name] = validating(name, fmt.Sprintf("w%d.example.com", random.Intn(2)))
			}
		}
		var list []*registrationv1.ValidatingWebhookConfiguration
		for _, c := range kept {
			list = append(list, c)
		}
		s.Set(nil, list)
		fresh := NewStore()
		fresh.Set(nil, list)
		if diff := cmp.Diff(orderOf(current(t, fresh)), orderOf(current(t, s))); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", step, diff)
		}
	}
}
