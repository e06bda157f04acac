package probetest_test

import (
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type metCase struct {
	testtable.Row
	handler http.Handler
	allowed bool
}

func TestNewHasMet(t *testing.T) {
	t.Parallel()
	no := probetest.Handler(func(_ probe.Review, response map[string]any) { response["allowed"] = false })
	testtable.Run(t, []metCase{
		{testtable.Row{"good", "webhooks are reached, and each request visits them"}, probetest.Good(), true},
		{testtable.Row{"no", "what a test changes in the response is what arrives"}, no, false},
	}, func(t *testing.T, tc metCase) {
		configurations := []runtime.Object{probetest.Widgets(), probetest.Mutating("defaults", "/defaults"), probetest.Validating("policy", "/policy")}
		c := probetest.New(t, tc.handler, configurations,
			probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update), probetest.Pod(admissionv1.Delete), probetest.Pod(admissionv1.Connect),
			probetest.Widget(admissionv1.Create), probetest.Widget(admissionv1.Update), probetest.Widget(admissionv1.Delete))
		if len(c.Webhooks) != 2 {
			t.Fatalf("%d webhooks, want 2", len(c.Webhooks))
		}
		for _, w := range c.Webhooks {
			if got := len(w.Answered()); got != 7 {
				t.Errorf("%s has %d answers, want 7", w.FullName(), got)
			}
			for _, x := range w.Answered() {
				if x.Answer.IsAllowed() != tc.allowed {
					t.Errorf("%s: %s: allowed is %t", w.FullName(), x.Sample, x.Answer.IsAllowed())
				}
			}
		}
	})
}
