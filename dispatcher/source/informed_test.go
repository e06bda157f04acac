package source

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

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

// TestInformedHandsOutWhatWasDelivered calls the handler itself: Current
// must return the delivered state after the handler has returned.
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

func TestInformersNeedsAnInformer(t *testing.T) {
	t.Parallel()
	_, err := Informers(Watched{})
	if err == nil || err.Error() != "following webhook configurations: no informer is given" {
		t.Errorf("got %v", err)
	}
}
