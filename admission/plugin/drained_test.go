package plugin_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestDrained counts the goroutines that a plugin has while it serves, those of
// its connection to a webhook included, and when the server has told it that the
// last request is through. It is not parallel:
// the others have goroutines too.
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
			before := goleak.IgnoreCurrent()

			p := h.prepare(t, name)
			if err := admit(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if goleak.Find(before, goleak.Cleanup(func(int) {})) == nil {
				t.Error("a plugin that serves has no goroutine: there is nothing to see here")
			}
			close(h.drained)
			if err := goleak.Find(before); err != nil {
				t.Errorf("after the last request: %v", err)
			}
		})
	}
}
