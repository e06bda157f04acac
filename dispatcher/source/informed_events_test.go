package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
)

// eventRow is one thing that an informer delivers to a source that has the
// configuration "a" of both kinds.
type eventRow struct {
	row
	deliver func(handler cache.ResourceEventHandler, had any)
	want    order
}

// TestInformedEvents delivers events of validating configurations by hand.
func TestInformedEvents(t *testing.T) {
	t.Parallel()
	both := order{Mutating: []string{"a/m/0"}, Validating: []string{"a/v/0", "a/w/0"}}
	gone := order{Mutating: both.Mutating}
	runTable(t, []eventRow{{
		row:     row{"addition", "the base of the other rows"},
		deliver: func(h cache.ResourceEventHandler, _ any) { h.OnAdd(validating("b", "w"), false) },
		want:    order{Mutating: both.Mutating, Validating: []string{"a/v/0", "a/w/0", "b/w/0"}},
	}, {
		row:     row{"no webhooks left", "a configuration may be emptied instead of deleted"},
		deliver: func(h cache.ResourceEventHandler, had any) { h.OnUpdate(had, validating("a")) },
		want:    gone,
	}, {
		row: row{"emptied and filled again", "an empty configuration is not forgotten"},
		deliver: func(h cache.ResourceEventHandler, had any) {
			h.OnUpdate(had, validating("a"))
			h.OnUpdate(validating("a"), validating("a", "x"))
		},
		want: order{Mutating: both.Mutating, Validating: []string{"a/x/0"}},
	}, {
		row:     row{"deletion", "the kind of the same name stays"},
		deliver: func(h cache.ResourceEventHandler, had any) { h.OnDelete(had) },
		want:    gone,
	}, {
		row: row{"tombstone", "S-065: a deletion that was missed comes as the last known state"},
		deliver: func(h cache.ResourceEventHandler, had any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a", Obj: had})
		},
		want: gone,
	}, {
		row: row{"tombstone of something", "S-065: upstream would keep the webhook; the name is enough to know which one is gone"},
		deliver: func(h cache.ResourceEventHandler, _ any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a", Obj: &metav1.Status{}})
		},
		want: gone,
	}, {
		row: row{"tombstone of nobody", "a deletion of what never was there changes nothing"},
		deliver: func(h cache.ResourceEventHandler, _ any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "b"})
		},
		want: both,
	}, {
		row: row{"other objects", "S-065: what is no configuration is left alone"},
		deliver: func(h cache.ResourceEventHandler, _ any) {
			h.OnAdd(&metav1.Status{}, false)
			h.OnDelete("a")
		},
		want: both,
	}}, func(t *testing.T, tc eventRow) {
		f := follow(t)
		f.handler(mutatingKind).OnAdd(mutating("a", "m"), true)
		had, handler := validating("a", "v", "w"), f.handler(validatingKind)
		handler.OnAdd(had, true)
		if got := orderOf(f.current(t)); len(got.Validating) != len(both.Validating) {
			t.Fatalf("at first there are %v", got)
		}
		tc.deliver(handler, had)
		if diff := cmp.Diff(tc.want, orderOf(f.current(t))); diff != "" {
			t.Errorf("webhooks (-want +got):\n%s", diff)
		}
	})
}

// TestInformedResync delivers what is there already, as informers do from time
// to time.
func TestInformedResync(t *testing.T) {
	t.Parallel()
	f := follow(t)
	had, handler := validating("a", "v"), f.handler(validatingKind)
	handler.OnAdd(had, true)
	before := f.current(t)
	handler.OnUpdate(had, had)
	if f.current(t) != before {
		t.Error("a resync made another snapshot")
	}
	handler.OnUpdate(had, validating("a", "v"))
	if after := f.current(t); after == before || same(before, after, admission.Validating, 0) {
		t.Error("an update made no other snapshot: there is nothing to see here")
	}
}

// TestInformedClosed closes one of two sources of the same informers. The other
// one says when an event has passed both.
func TestInformedClosed(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1))
	closed, err := Informers(Watched{Validating: f.factory.Admissionregistration().V1().ValidatingWebhookConfigurations()})
	if err != nil {
		t.Fatal(err)
	}
	before := current(t, closed)
	closed.Close()
	closed.Close() // once more does no harm
	if _, err := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Update(t.Context(), revisionOf("a", 2), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.eventually(t, "a", 2)
	// The informer hands an event to all of its handlers before it takes the
	// next, so one that was still there has its own by the third.
	if _, err := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Update(t.Context(), revisionOf("a", 3), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.eventually(t, "a", 3)
	if current(t, closed) != before {
		t.Error("a closed source still follows")
	}
}

// TestInformersHaveStopped follows an informer that will never deliver again.
func TestInformersHaveStopped(t *testing.T) {
	t.Parallel()
	f := follow(t)
	informer := f.factory.Admissionregistration().V1().MutatingWebhookConfigurations()
	stop := make(chan struct{})
	close(stop)
	stopped := cache.NewSharedIndexInformer(&cache.ListWatch{}, &registrationv1.MutatingWebhookConfiguration{}, 0, nil)
	stopped.Run(stop)
	_, err := Informers(Watched{Mutating: stoppedInformer{informer, stopped}})
	const want = "following MutatingWebhookConfigurations: handler "
	if got := text(err); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("want %s…, got %v", want, err)
	}
}

// stoppedInformer is an informer of configurations whose machinery has stopped.
type stoppedInformer struct {
	registrationinformers.MutatingWebhookConfigurationInformer
	stopped cache.SharedIndexInformer
}

func (s stoppedInformer) Informer() cache.SharedIndexInformer { return s.stopped }
