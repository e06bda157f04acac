package source

import (
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// compiledSince counts the webhooks of a snapshot that were not compiled for
// the one before. Webhooks are compiled into new objects, so addresses tell.
func compiledSince(before, after *matching.Snapshot, p admission.Phase) int {
	had := map[*matching.Webhook]bool{}
	for _, w := range before.Webhooks(p) {
		had[w] = true
	}
	n := 0
	for _, w := range after.Webhooks(p) {
		if !had[w] {
			n++
		}
	}
	return n
}

// keptRow is something that happens to the configuration "b", which has three
// webhooks and a neighbour on either side.
type keptRow struct {
	row
	happens func(f following, had *registrationv1.ValidatingWebhookConfiguration)
	// compiled is how many webhooks are compiled because of it.
	compiled int
}

// TestInformedCompilesWhatChanged counts compiled webhooks (S-063).
func TestInformedCompilesWhatChanged(t *testing.T) {
	t.Parallel()
	testtable.Run(t, keptRows(), func(t *testing.T, tc keptRow) {
		f := follow(t)
		handler := f.handler(validatingKind)
		had := validating("b", "v", "w", "x")
		for _, c := range []any{validating("a", "v"), had, validating("c", "v")} {
			handler.OnAdd(c, true)
		}
		before := f.current(t)
		if len(before.Webhooks(admission.Validating)) != 5 {
			t.Fatalf("at first there are %v", orderOf(before))
		}
		tc.happens(f, had)
		after := f.current(t)
		if got := compiledSince(before, after, admission.Validating); got != tc.compiled {
			t.Errorf("%d webhooks were compiled, want %d", got, tc.compiled)
		}
		if tc.compiled == 0 && before != after {
			t.Error("nothing was compiled, but there is another snapshot")
		}
	})
}

func keptRows() []keptRow {
	return []keptRow{{
		row: row{"resync", "the same objects are delivered again, from time to time"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			f.handler(validatingKind).OnUpdate(had, had)
		},
	}, {
		row: row{"relist", "equal configurations are delivered as new objects"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			f.handler(validatingKind).OnUpdate(had, had.DeepCopy())
		},
	}, {
		row: row{"relist as additions", "a new handler receives all objects as additions"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			f.handler(validatingKind).OnAdd(had.DeepCopy(), true)
		},
	}, {
		row: row{"metadata", "labels and versions say nothing about webhooks"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			now := had.DeepCopy()
			now.Labels, now.ResourceVersion, now.Generation = map[string]string{"a": "b"}, "2", 2
			f.handler(validatingKind).OnUpdate(had, now)
		},
	}, {
		row: row{"another object", "S-065: only configurations have webhooks"},
		happens: func(f following, _ *registrationv1.ValidatingWebhookConfiguration) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "bb"}}
			f.handler(validatingKind).OnAdd(pod, false)
		},
	}, {
		row: row{"there and back", "only the state at the time of a request counts"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			// No snapshot may be compiled in between.
			f.builderMu.Lock()
			defer f.builderMu.Unlock()
			handler := f.handler(validatingKind)
			handler.OnUpdate(had, validating("b", "other"))
			handler.OnDelete(had)
			handler.OnAdd(had.DeepCopy(), false)
		},
	}, {
		row: row{"one webhook", "configurations are kept or compiled as a whole, and others are kept"},
		happens: func(f following, had *registrationv1.ValidatingWebhookConfiguration) {
			now := had.DeepCopy()
			now.Webhooks[1].TimeoutSeconds = new(int32(3))
			f.handler(validatingKind).OnUpdate(had, now)
		},
		compiled: 3,
	}, {
		row: row{"deletion of a neighbour", "the others do not move"},
		happens: func(f following, _ *registrationv1.ValidatingWebhookConfiguration) {
			f.handler(validatingKind).OnDelete(cache.DeletedFinalStateUnknown{Key: "a"})
			f.handler(validatingKind).OnAdd(validating("d", "v"), false)
		},
		compiled: 1,
	}}
}

// TestInformedForgetsWhatIsGone has a configuration come back as it was, after
// a request has seen that it was gone.
func TestInformedForgetsWhatIsGone(t *testing.T) {
	t.Parallel()
	f := follow(t)
	handler, had := f.handler(validatingKind), validating("a", "v")
	handler.OnAdd(had, true)
	before := f.current(t)
	handler.OnDelete(had)
	if got := f.current(t).Webhooks(admission.Validating); len(got) != 0 {
		t.Fatalf("after the deletion there are %d webhooks", len(got))
	}
	handler.OnAdd(had, false)
	if got := compiledSince(before, f.current(t), admission.Validating); got != 1 {
		t.Errorf("%d webhooks were compiled, want 1", got)
	}
}

// TestInformedForgetsWhatWasReplaced has the object of a configuration be replaced, and
// come back after a request has seen the other one. The source holds one object.
func TestInformedForgetsWhatWasReplaced(t *testing.T) {
	t.Parallel()
	had := validating("a", "v")
	for what, other := range map[string]*registrationv1.ValidatingWebhookConfiguration{
		"equal": had.DeepCopy(), "changed": validating("a", "v", "w"),
	} {
		f := follow(t)
		handler := f.handler(validatingKind)
		handler.OnAdd(had, true)
		f.current(t)
		for _, now := range []*registrationv1.ValidatingWebhookConfiguration{other, had} {
			handler.OnUpdate(nil, now)
			if got := len(f.current(t).Webhooks(admission.Validating)); got != len(now.Webhooks) {
				t.Errorf("%s: %d webhooks, want %d", what, got, len(now.Webhooks))
			}
			if got := len(f.builder.validating.origins); got != 1 {
				t.Errorf("%s: the source holds %d objects, want 1", what, got)
			}
		}
	}
}

// TestInformedKeepsWhatDidNotChange changes one of two configurations (S-063).
func TestInformedKeepsWhatDidNotChange(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1), revisionOf("b", 1))
	before := f.current(t).Webhooks(admission.Validating)
	if _, err := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Update(t.Context(), revisionOf("b", 2), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.eventually(t, "b", 2)
	after := f.current(t).Webhooks(admission.Validating)
	if before[0] != after[0] {
		t.Error("the configuration that did not change was compiled again")
	}
	if before[1] == after[1] {
		t.Error("the configuration that changed was not compiled again")
	}
}

// TestInformedResync has an informer deliver everything again every minute for
// an hour. The source neither reads its store again nor publishes anything, because
// nothing has changed.
func TestInformedResync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(revisionOf("a", 1)), time.Minute)
		watched := factory.Admissionregistration().V1().ValidatingWebhookConfigurations()
		resyncs, published := 0, 0
		if _, err := watched.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(any, any) { resyncs++ },
		}); err != nil {
			t.Fatal(err)
		}
		s, err := Informers(Watched{Validating: watched, Published: func(*matching.Snapshot) { published++ }})
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		factory.Start(stop)
		defer func() {
			s.Close()
			close(stop)
			factory.Shutdown()
		}()
		before, reads := current(t, s), s.builder.validating.reads
		time.Sleep(time.Hour)
		synctest.Wait()
		if resyncs < 50 {
			t.Fatalf("%d resyncs in an hour: there is nothing to see here", resyncs)
		}
		if after := current(t, s); after != before || published != 1 {
			t.Errorf("another snapshot: %t; published %d snapshots, want 1", after != before, published)
		}
		if got := s.builder.validating.reads; got != reads {
			t.Errorf("the store was read %d times, want %d", got, reads)
		}
	})
}
