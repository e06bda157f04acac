package source

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestInformedClosed closes one of two sources of the same informers. The other
// one shows when an event has been delivered to both.
func TestInformedClosed(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1))
	closed, err := Informers(Watched{Validating: f.factory.Admissionregistration().V1().ValidatingWebhookConfigurations()})
	if err != nil {
		t.Fatal(err)
	}
	before := current(t, closed)
	closed.Close()
	closed.Close() // a second Close has no effect
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
	if got := testtable.Text(err); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("want %s…, got %v", want, err)
	}
	other := &counting{SharedIndexInformer: informer.Informer()}
	_, err = Informers(Watched{Mutating: stoppedInformer{informer, other}, Validating: stoppedValidating{stopped: stopped}})
	if err == nil || other.removed != 1 {
		t.Errorf("error %v, and %d handlers of the other informer were removed, want one", err, other.removed)
	}
}

// counting is an informer that counts the handlers that leave it.
type counting struct {
	cache.SharedIndexInformer
	removed int
}

func (c *counting) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	c.removed++
	return c.SharedIndexInformer.RemoveEventHandler(handle)
}

// stoppedValidating is stoppedInformer for the other kind.
type stoppedValidating struct {
	registrationinformers.ValidatingWebhookConfigurationInformer
	stopped cache.SharedIndexInformer
}

func (s stoppedValidating) Informer() cache.SharedIndexInformer { return s.stopped }

// stoppedInformer is a configuration informer that has stopped.
type stoppedInformer struct {
	registrationinformers.MutatingWebhookConfigurationInformer
	stopped cache.SharedIndexInformer
}

func (s stoppedInformer) Informer() cache.SharedIndexInformer { return s.stopped }

// TestInformedClosesOnce has eight callers close a source that is ready. All of
// them return, and it keeps what it knew.
func TestInformedClosesOnce(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, s *starting) {
		s.serve()
		synctest.Wait()
		before := current(t, s)
		var closing sync.WaitGroup
		for range 8 {
			closing.Go(s.Close)
		}
		closing.Wait()
		if current(t, s) != before {
			t.Error("a closed source has forgotten what it knew")
		}
	})
}

// TestInformedOutlivesItsInformers stops the informers of a source that is
// ready. What it knows is old, but better than nothing.
func TestInformedOutlivesItsInformers(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, s *starting) {
		s.serve()
		synctest.Wait()
		before := current(t, s)
		s.halt()
		if after := current(t, s); after != before || revisionIn(t, after, "a") != 1 {
			t.Error("the source has forgotten what it knew")
		}
	})
}

// TestInformedIsNotFooledWhileClosing closes a source whose informer reports
// HasSynced as soon as it stops delivering.
func TestInformedIsNotFooledWhileClosing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(revisionOf("a", 1)), 0)
		s, err := Informers(Watched{Validating: hasty{
			ValidatingWebhookConfigurationInformer: factory.Admissionregistration().V1().ValidatingWebhookConfigurations(),
			done:                                   make(chan struct{}),
		}})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if snapshot, err := s.Current(t.Context()); snapshot != nil || !errors.Is(err, dispatcher.ErrNotReady) {
			t.Errorf("got %v, %v; want ErrNotReady", snapshot, err)
		}
	})
}

// hasty is an informer, its machinery and the registration of its only handler,
// which is done when it is removed.
type hasty struct {
	registrationinformers.ValidatingWebhookConfigurationInformer
	cache.SharedIndexInformer
	cache.ResourceEventHandlerRegistration
	done chan struct{}
}

func (h hasty) Informer() cache.SharedIndexInformer { return h }

func (h hasty) AddEventHandler(cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return h, nil
}

func (h hasty) RemoveEventHandler(cache.ResourceEventHandlerRegistration) error {
	close(h.done)
	time.Sleep(time.Second) // longer than the goroutine needs to notice
	return nil
}

func (h hasty) HasSynced() bool { return cache.IsDone(h) }

func (h hasty) HasSyncedChecker() cache.DoneChecker { return h }

func (h hasty) Name() string { return "hasty" }

func (h hasty) Done() <-chan struct{} { return h.done }
