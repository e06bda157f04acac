package probe_test

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// TestGate lets requests go together, and does not wait for those that never
// come.
func TestGate(t *testing.T) {
	t.Parallel()
	c := probetest.New(t, probetest.Good(), []runtime.Object{probetest.Mutating("a", "/")}, probetest.Pod(admissionv1.Create))
	w := c.Webhooks[0]
	gate := probe.NewGate(2) // one of which is missing
	answered := make(chan *probe.Exchange)
	go func() {
		answered <- w.Do(t.Context(), probe.RawRequest{Review: w.Exchanges[0].ReviewCopy(), Gate: gate})
	}()
	select {
	case <-answered:
		t.Fatal("a request got through before the gate was open")
	default:
	}
	gate.Open()
	if x := <-answered; x.Answer == nil {
		t.Errorf("no answer: %v", x.Err)
	}
}
