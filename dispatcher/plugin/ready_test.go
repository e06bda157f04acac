package plugin_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/testutil/testtable"
)

const notReady = `pods "web" is forbidden: not yet ready to handle request` // S-006

// TestNotReady sends a request whose deadline passes before the informers have
// synced. kube-apiserver would let it wait for 10 seconds.
func TestNotReady(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		p := (&host{cluster: newCluster()}).prepare(t, name)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		if got := testtable.Text(admit(ctx, p)); got != notReady {
			t.Errorf("%s: want %s, got %s", name, notReady, got)
		}
		if waited := time.Since(start); waited > 5*time.Second {
			t.Errorf("%s: the answer came after %v", name, waited)
		}
	}
}

// TestReadyWhileWaiting starts the informers when a request is there already.
func TestReadyWhileWaiting(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{cluster: newCluster(configured(name, "a", backend(t, denies("no"))))}
		p := h.prepare(t, name)
		answer := make(chan error)
		go func() { answer <- admit(t.Context(), p) }()
		select {
		case err := <-answer:
			t.Fatalf("%s: answered without informers: %v", name, err)
		case <-time.After(200 * time.Millisecond):
		}
		h.start(t)
		if got := testtable.Text(<-answer); got != `admission webhook "a.example.com" denied the request: no` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestNamespacesHaveToSync leaves the informer of namespaces out: selectors
// could not be answered (S-005).
func TestNamespacesHaveToSync(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{cluster: newCluster(configured(name, "a", backend(t, denies("no"))))}
		p := h.prepare(t, name)
		registrations := h.factory.Admissionregistration().V1()
		stop := make(chan struct{})
		done := make(chan struct{}, 2)
		mutating, validating := registrations.MutatingWebhookConfigurations().Informer(), registrations.ValidatingWebhookConfigurations().Informer()
		go func() { mutating.Run(stop); done <- struct{}{} }()
		go func() { validating.Run(stop); done <- struct{}{} }()
		if !cache.WaitForCacheSync(t.Context().Done(), mutating.HasSynced, validating.HasSynced) {
			t.Fatal("the configurations have not synced")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		if got := testtable.Text(admit(ctx, p)); got != notReady {
			t.Errorf("%s: want %s, got %s", name, notReady, got)
		}
		cancel()
		close(stop)
		<-done
		<-done
	}
}
