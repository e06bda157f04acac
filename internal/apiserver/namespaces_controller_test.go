package apiserver

import (
	"context"
	"io"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// slow is a plugin in place of a webhook that is slow to answer, to deletions
// in the namespace "slow".
type slow struct {
	// asked receives when a request waits for the plugin, which answers when
	// answer is closed.
	asked, answer chan struct{}
}

var _ apiadmission.ValidationInterface = slow{}

func (slow) Handles(operation apiadmission.Operation) bool { return operation == apiadmission.Delete }

func (s slow) Validate(ctx context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	if a.GetNamespace() != "slow" || a.GetResource().Resource != "configmaps" {
		return nil
	}
	select {
	case s.asked <- struct{}{}:
	default:
	}
	select {
	case <-s.answer:
	case <-ctx.Done():
	}
	return nil
}

// TestNamespacesAreApart: what is slow in one namespace does not hold up the
// deletion of another.
func TestNamespacesAreApart(t *testing.T) {
	t.Parallel()
	s := slow{make(chan struct{}, 1), make(chan struct{})}
	register := func(plugins *apiadmission.Plugins) {
		plugins.Register("Slow", func(io.Reader) (apiadmission.Interface, error) { return s, nil })
	}
	server := start(t, Config{Admission: Admission{Register: register, Order: []string{"Slow"}}})
	client := typed(t, server).CoreV1().Namespaces()
	for _, name := range []string{"slow", "quick"} {
		makeNamespace(t, server, name)
	}
	if err := client.Delete(t.Context(), "slow", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.asked:
	case <-time.After(2 * time.Minute):
		t.Fatal("the controller has not processed the first namespace")
	}
	if err := client.Delete(t.Context(), "quick", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, server, "quick")
	if _, err := client.Get(t.Context(), "slow", metav1.GetOptions{}); err != nil {
		t.Errorf("the plugin has held up nothing: %v", err)
	}
	close(s.answer)
	awaitGone(t, server, "slow")
}
