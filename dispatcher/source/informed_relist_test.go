package source

import (
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	ktesting "k8s.io/client-go/testing"

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
