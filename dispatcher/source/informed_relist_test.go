package source

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	ktesting "k8s.io/client-go/testing"

	"example.com/gatehouse/dispatcher"
)

// TestInformedRelists cuts the watch while configurations come, change and go.
// The informer has to list again, and the source has to notice all three.
func TestInformedRelists(t *testing.T) {
	t.Parallel()
	f := prepare(t, revisionOf("changes", 1), revisionOf("goes", 1), revisionOf("stays", 1))
	deaf := watch.NewFake()
	var watches atomic.Int32
	f.client.PrependWatchReactor("validatingwebhookconfigurations", func(ktesting.Action) (bool, watch.Interface, error) {
		return watches.Add(1) == 1, deaf, nil
	})
	f.start(t)
	if got := orderOf(f.current(t)).Validating; len(got) != 3 {
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
}

func second[T any](_ T, err error) error { return err }

// waitFor waits until something has happened.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still waiting for %s", what)
		}
	}
}

// TestInformedWaitsUntilTheDeadline asks a source whose server does not answer.
func TestInformedWaitsUntilTheDeadline(t *testing.T) {
	t.Parallel()
	f := prepare(t)
	answer := make(chan struct{})
	f.client.PrependReactor("list", "validatingwebhookconfigurations", func(ktesting.Action) (bool, runtime.Object, error) {
		<-answer
		return false, nil, nil
	})
	f.start(t)
	const patience = 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	start := time.Now()
	_, err := f.Current(ctx)
	if waited := time.Since(start); err != dispatcher.ErrNotReady || waited < patience || waited > 5*time.Second {
		t.Errorf("got %v after %v, want %v after %v", err, waited, dispatcher.ErrNotReady, patience)
	}
	close(answer)
	if _, err := f.Current(t.Context()); err != nil {
		t.Errorf("the server has answered, but the source says %v", err)
	}
}
