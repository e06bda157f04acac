package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/testutil/testtable"
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
	testtable.Run(t, []eventRow{{
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
		row: row{"tombstone of nothing", "the last known state may be unknown"},
		deliver: func(h cache.ResourceEventHandler, _ any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a"})
		},
		want: gone,
	}, {
		row: row{"tombstone of an older state", "the configuration is gone, whatever it was"},
		deliver: func(h cache.ResourceEventHandler, had any) {
			h.OnUpdate(had, validating("a", "x"))
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a", Obj: had})
		},
		want: gone,
	}, {
		row: row{"deleted and created again", "the name is the same, the webhooks are the new ones"},
		deliver: func(h cache.ResourceEventHandler, had any) {
			h.OnDelete(had)
			h.OnAdd(validating("a", "x"), false)
		},
		want: order{Mutating: both.Mutating, Validating: []string{"a/x/0"}},
	}, {
		row: row{"missed deletion, created again", "the tombstone does not bury the successor"},
		deliver: func(h cache.ResourceEventHandler, had any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a", Obj: had})
			h.OnAdd(validating("a", "x"), false)
		},
		want: order{Mutating: both.Mutating, Validating: []string{"a/x/0"}},
	}, {
		row: row{"tombstone of an unknown name", "deleting a configuration that does not exist changes nothing"},
		deliver: func(h cache.ResourceEventHandler, _ any) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "b"})
		},
		want: both,
	}, {
		row: row{"other objects", "S-065: other objects are ignored"},
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

// TestInformedEmptied deletes every configuration of a kind after a snapshot
// has indexed them together.
func TestInformedEmptied(t *testing.T) {
	t.Parallel()
	f := follow(t)
	handler := f.handler(validatingKind)
	many := validating("a", strings.Split("abcdefghijklmnopqrstuvwxyz", "")...)
	handler.OnAdd(many, false)
	if got := orderOf(f.current(t)); len(got.Validating) != len(many.Webhooks) {
		t.Fatalf("at first there are %v", got)
	}
	handler.OnDelete(many)
	if got := orderOf(f.current(t)); len(got.Validating) != 0 {
		t.Errorf("still in force: %v", got)
	}
}
