package source

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
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
	return prepareWith(t, nil, configs...)
}

// prepareWith makes one that publishes.
func prepareWith(
	t testing.TB, published func(*matching.Snapshot), configs ...*registrationv1.ValidatingWebhookConfiguration,
) following {
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
		Published:  published,
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

// handler returns the handler of the source for a kind, behind a store as an
// informer has it: what is delivered by hand is in the store before. Use it only
// after start.
func (f following) handler(kind string) cache.ResourceEventHandler {
	informer := f.followed[kind]
	<-informer.HasSyncedChecker().Done() // or the initial list would replace what is delivered
	return storing{informer.GetStore(), f.Informed.handler()}
}

// storing is a handler that keeps the store of its informer up to date.
type storing struct {
	store   cache.Store
	handler cache.ResourceEventHandler
}

// OnAdd implements cache.ResourceEventHandler.
func (s storing) OnAdd(obj any, initial bool) {
	_ = s.store.Add(obj) // it fails for what has no name, which no store can have
	s.handler.OnAdd(obj, initial)
}

// OnUpdate implements cache.ResourceEventHandler.
func (s storing) OnUpdate(old, obj any) {
	_ = s.store.Update(obj)
	s.handler.OnUpdate(old, obj)
}

// OnDelete implements cache.ResourceEventHandler.
func (s storing) OnDelete(obj any) {
	_ = s.store.Delete(obj)
	s.handler.OnDelete(obj)
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
	deadline := time.Now().Add(2 * time.Minute)
	for {
		got := revisionIn(t, f.current(t), name)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: want revision %d, got %d for two minutes", name, want, got)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

func second[T any](_ T, err error) error { return err }

// waitFor waits until something has happened.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still waiting for %s", what)
		}
	}
}
