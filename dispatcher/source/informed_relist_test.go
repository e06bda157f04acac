package source

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	ktesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
)

// TestInformedRelists cuts the watch while configurations come, change and go.
// The informer has to list again, and the source has to notice all three. What
// stays comes as a new object, and is not compiled again.
func TestInformedRelists(t *testing.T) {
	t.Parallel()
	f := prepare(t, revisionOf("changes", 1), revisionOf("goes", 1), revisionOf("stays", 1))
	deaf := watch.NewFake()
	var watches atomic.Int32
	f.client.PrependWatchReactor("validatingwebhookconfigurations", func(ktesting.Action) (bool, watch.Interface, error) {
		return watches.Add(1) == 1, deaf, nil
	})
	f.start(t)
	before := f.current(t)
	if got := orderOf(before).Validating; len(got) != 3 {
		t.Fatalf("at first there are %v", got)
	}
	waitFor(t, "the first watch", func() bool { return watches.Load() > 0 })

	configs := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	for _, err := range []error{
		second(configs.Update(t.Context(), revisionOf("changes", 2), metav1.UpdateOptions{})),
		second(configs.Create(t.Context(), revisionOf("comes", 1), metav1.CreateOptions{})),
		configs.Delete(t.Context(), "goes", metav1.DeleteOptions{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := revisionIn(t, f.current(t), "changes"); got != 1 {
		t.Fatalf("the watch is not deaf: revision %d", got)
	}
	deaf.Error(&apierrors.NewResourceExpired("too old").ErrStatus)

	f.eventually(t, "changes", 2)
	f.eventually(t, "comes", 1)
	f.eventually(t, "goes", 0)
	f.eventually(t, "stays", 1)
	if got := compiledSince(before, f.current(t), admission.Validating); got != 2 {
		t.Errorf("%d webhooks were compiled, want 2: what changes and what comes", got)
	}
}

// TestInformedRelistIsOneChange delivers a new list as client-go does: the store is
// replaced at once, and the handler is called for the deletions, then for each of
// the others. A configuration was renamed, and a webhook has moved to another one.
// After no call may one of the webhooks be missing.
func TestInformedRelistIsOneChange(t *testing.T) {
	t.Parallel()
	f := follow(t)
	handler, source := f.handler(validatingKind), f.Informed.handler()
	gone, emptied := validating("old-name", "renamed"), validating("b", "moved", "stays")
	handler.OnAdd(gone, true)
	handler.OnAdd(emptied, true)
	f.current(t)

	renamed, left, filled := validating("new-name", "renamed"), validating("b", "stays"), validating("c", "moved")
	if err := f.followed[validatingKind].GetStore().Replace([]any{renamed, left, filled}, "2"); err != nil {
		t.Fatal(err)
	}
	want := order{Validating: []string{"b/stays/0", "c/moved/0", "new-name/renamed/0"}}
	for _, deliver := range []func(){
		func() { source.OnDelete(cache.DeletedFinalStateUnknown{Key: "old-name", Obj: gone}) },
		func() { source.OnUpdate(emptied, left) },
		func() { source.OnAdd(renamed, false) },
		func() { source.OnAdd(filled, false) },
	} {
		deliver()
		if diff := cmp.Diff(want, orderOf(f.current(t))); diff != "" {
			t.Errorf("webhooks (-want +got):\n%s", diff)
		}
	}
}

// BenchmarkInformedChange changes one of 10,000 configurations.
func BenchmarkInformedChange(b *testing.B) {
	f := prepare(b)
	f.start(b)
	handler := f.handler(validatingKind)
	var all []*registrationv1.ValidatingWebhookConfiguration
	for i := range 10_000 {
		all = append(all, validating(fmt.Sprint(i), "v"))
		handler.OnAdd(all[i], true)
	}
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(all)
		changed := validating(all[i].Name, fmt.Sprint("v", b.N), fmt.Sprint(i))
		handler.OnUpdate(all[i], changed)
		all[i] = changed
		if _, err := f.Current(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
