package plugin_test

import (
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestDrained counts the goroutines of a plugin while it serves, including
// those of its connection to a webhook, and after the server has drained. It
// does not run in parallel with other tests, which have goroutines, too.
func TestDrained(t *testing.T) {
	for _, name := range bothPlugins() {
		t.Run(name, func(t *testing.T) {
			h := host{
				cluster: newCluster(configured(name, "a", backend(t, allows()))),
				drained: make(chan struct{}),
			}
			registrations := h.factory.Admissionregistration().V1()
			h.factory.Core().V1().Namespaces().Informer()
			registrations.MutatingWebhookConfigurations().Informer()
			registrations.ValidatingWebhookConfigurations().Informer()
			h.start(t)
			h.factory.WaitForCacheSync(t.Context().Done())
			for range 3 {
				<-h.watched // from now on the server's own informers start nothing
			}
			before := goleak.IgnoreCurrent()

			p := h.prepare(t, name)
			if err := admit(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if goleak.Find(before) == nil {
				t.Error("a plugin that serves has no goroutine: there is nothing to see here")
			}
			close(h.drained)
			if err := leaktest.Find(before); err != nil {
				t.Errorf("after the last request: %v", err)
			}
		})
	}
}

// TestFailedInitialization requires the plugin to go on following the factory
// before if another one cannot be followed, and to leave no goroutine.
func TestFailedInitialization(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{cluster: newCluster(configured(name, "a", backend(t, denies("no")))), drained: make(chan struct{})}
		p := h.open(t, name)
		other := newCluster().factory
		stop := make(chan struct{})
		registrations := other.Admissionregistration().V1()
		registrations.MutatingWebhookConfigurations().Informer()
		registrations.ValidatingWebhookConfigurations().Informer()
		other.Start(stop)
		other.WaitForCacheSync(stop)
		close(stop)
		other.Shutdown()

		p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(other)
		if err := p.(apiadmission.InitializationValidator).ValidateInitialization(); err == nil {
			t.Fatalf("%s: an informer that has stopped is followed", name)
		}
		if got, want := testtable.Text(admit(t.Context(), p)), fmt.Sprintf(deniedBy, "a"); got != want {
			t.Errorf("%s: after the failure: want %s, got %s", name, want, got)
		}
		close(h.drained)
		again := func() error { return p.(apiadmission.InitializationValidator).ValidateInitialization() }
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
			err := again()
			if testtable.Text(err) == "the plugin has been closed: the server is drained" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: after the last request: %v", name, err)
			}
		}
	}
}
