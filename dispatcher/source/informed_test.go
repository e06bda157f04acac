package source

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// revisionOf is a configuration whose only webhook carries the number of the
// revision in its path.
func revisionOf(name string, n int64) *registrationv1.ValidatingWebhookConfiguration {
	url := "https://127.0.0.1/" + strconv.FormatInt(n, 10)
	return &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name:         name + ".example.com",
			ClientConfig: registrationv1.WebhookClientConfig{URL: &url},
		}},
	}
}

// revisionIn returns the revision in a snapshot, 0 if the configuration is not
// there.
func revisionIn(t *testing.T, s *matching.Snapshot, name string) int64 {
	t.Helper()
	for _, w := range s.Webhooks(admission.Validating) {
		if w.Configuration == name {
			var n int64
			if _, err := fmt.Sscanf(*w.ClientConfig.URL, "https://127.0.0.1/%d", &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	return 0
}

// following is a source that follows a fake API server.
type following struct {
	*Informed
	client  *fake.Clientset
	factory informers.SharedInformerFactory
}

func follow(t *testing.T, configs ...*registrationv1.ValidatingWebhookConfiguration) following {
	t.Helper()
	f := prepare(t, configs...)
	f.start(t)
	return f
}

// prepare makes a source whose informers have not been started.
func prepare(t testing.TB, configs ...*registrationv1.ValidatingWebhookConfiguration) following {
	t.Helper()
	client := fake.NewSimpleClientset()
	for _, c := range configs {
		if err := client.Tracker().Add(c); err != nil {
			t.Fatal(err)
		}
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	s, err := Informers(Watched{
		Mutating:   factory.Admissionregistration().V1().MutatingWebhookConfigurations(),
		Validating: factory.Admissionregistration().V1().ValidatingWebhookConfigurations(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return following{s, client, factory}
}

// start has the informers deliver, until the end of the test.
func (f following) start(t testing.TB) {
	t.Helper()
	stop := make(chan struct{})
	f.factory.Start(stop)
	t.Cleanup(func() { close(stop); f.factory.Shutdown() })
}

// current waits until the fake server's state has arrived.
func (f following) current(t *testing.T) *matching.Snapshot {
	t.Helper()
	snapshot, err := f.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// eventually waits for a revision to arrive.
func (f following) eventually(t *testing.T, name string, want int64) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		got := revisionIn(t, f.current(t), name)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: want revision %d, got %d for 10 s", name, want, got)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

func TestInformedFollowsAServer(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1), revisionOf("b", 1))
	configs := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	if got := revisionIn(t, f.current(t), "a"); got != 1 {
		t.Fatalf("initial list: want revision 1, got %d", got)
	}
	for _, step := range []struct {
		name string
		do   func(context.Context) error
		want int64
	}{
		{"update", func(ctx context.Context) error {
			_, err := configs.Update(ctx, revisionOf("a", 2), metav1.UpdateOptions{})
			return err
		}, 2},
		{"delete", func(ctx context.Context) error { return configs.Delete(ctx, "a", metav1.DeleteOptions{}) }, 0},
		{"recreate", func(ctx context.Context) error {
			_, err := configs.Create(ctx, revisionOf("a", 3), metav1.CreateOptions{})
			return err
		}, 3},
	} {
		if err := step.do(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		f.eventually(t, "a", step.want)
		if got := revisionIn(t, f.current(t), "b"); got != 1 {
			t.Errorf("%s: the other configuration is at %d", step.name, got)
		}
	}
}

// TestInformedHandsOutWhatWasDelivered calls the handler itself: whoever asks
// after it has returned must get what it was given.
func TestInformedHandsOutWhatWasDelivered(t *testing.T) {
	t.Parallel()
	f := follow(t)
	f.current(t)
	handler := f.handler(validatingKind)
	var old *registrationv1.ValidatingWebhookConfiguration
	for n := int64(1); n <= 1000; n++ {
		now := revisionOf("a", n)
		if old == nil {
			handler.OnAdd(now, false)
		} else {
			handler.OnUpdate(old, now)
		}
		if got := revisionIn(t, f.current(t), "a"); got != n {
			t.Fatalf("revision %d was delivered, the source has %d", n, got)
		}
		old = now
	}
	handler.OnDelete(cache.DeletedFinalStateUnknown{Key: "a", Obj: "not even a configuration"})
	if got := revisionIn(t, f.current(t), "a"); got != 0 {
		t.Errorf("after a tombstone the source still has %d", got)
	}
}

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

// TestInformedUnderChange has 8 readers ask while revisions come, go and come
// back. A reader must see a revision that was written before it got its answer,
// and never one that is older than what it has seen.
func TestInformedUnderChange(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1))
	f.current(t)
	var written atomic.Int64
	written.Store(1)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			var seen int64
			for {
				select {
				case <-stop:
					return
				default:
				}
				snapshot, err := f.Current(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				got := revisionIn(t, snapshot, "a")
				if latest := written.Load(); got > latest {
					t.Errorf("saw revision %d, of which %d are written", got, latest)
				}
				if got != 0 && got < seen {
					t.Errorf("saw revision %d after %d", got, seen)
				}
				seen = max(seen, got)
				time.Sleep(50 * time.Microsecond) // leave the informers a processor
			}
		})
	}
	f.burst(t, &written, burstsUnderChange, 6)
	close(stop)
	readers.Wait()
}

const burstsUnderChange = 2000

// burst writes quick updates, every tenth burst a deletion and a new creation,
// and requires that after each burst the last revision arrives.
func (f following) burst(t *testing.T, written *atomic.Int64, bursts, updates int) {
	t.Helper()
	ctx := t.Context()
	configs := f.client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	for b := range bursts {
		if b%10 == 9 {
			if err := configs.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			if _, err := configs.Create(ctx, revisionOf("a", written.Add(1)), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for range updates {
			if _, err := configs.Update(ctx, revisionOf("a", written.Add(1)), metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		f.eventually(t, "a", written.Load())
	}
}

func TestInformedWaitsNoLongerThanTheRequest(t *testing.T) {
	t.Parallel()
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	s, err := Informers(Watched{Validating: factory.Admissionregistration().V1().ValidatingWebhookConfigurations()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Current(ctx); !errors.Is(err, dispatcher.ErrNotReady) {
		t.Errorf("want ErrNotReady, got %v", err)
	}
}

func TestInformersNeedsAnInformer(t *testing.T) {
	t.Parallel()
	_, err := Informers(Watched{})
	if err == nil || err.Error() != "following webhook configurations: no informer is given" {
		t.Errorf("got %v", err)
	}
}
