package probe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// TestTypical has one more of everything than is needed.
func TestTypical(t *testing.T) {
	t.Parallel()
	widgetsDenied := probetest.Handler(func(review probe.Review, response map[string]any) {
		response["allowed"] = review.Object()["kind"] == "Pod"
	})
	both := probetest.Mutating("defaults", "/", func(w *registrationv1.MutatingWebhook) {
		w.AdmissionReviewVersions = []string{"v1", "v1beta1"}
	})
	c := probetest.New(t, widgetsDenied, []runtime.Object{probetest.Widgets(), both},
		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update),
		probetest.Widget(admissionv1.Create), probetest.Widget(admissionv1.Create))
	type kind struct {
		Sample, Version string
		Allowed         bool
	}
	var got []kind
	for _, x := range c.Webhooks[0].OnePerOperation() {
		got = append(got, kind{x.Sample, x.Review.Version(), x.Answer.IsAllowed()})
	}
	want := []kind{
		{"CREATE pods/web in shop", probe.V1, true},
		{"UPDATE pods/web in shop", probe.V1, true},
		{"CREATE widgets.example.com/sprocket in shop", probe.V1, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("typical exchanges (-want +got):\n%s", diff)
	}
}

// TestAllowedFirst has those that were denied asked first.
func TestAllowedFirst(t *testing.T) {
	t.Parallel()
	updatesAllowed := probetest.Handler(func(review probe.Review, response map[string]any) {
		response["allowed"] = review.Operation() == "UPDATE"
	})
	c := probetest.New(t, updatesAllowed, []runtime.Object{probetest.Mutating("defaults", "/")},
		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update), probetest.Pod(admissionv1.Delete))
	var got []string
	for _, x := range c.Webhooks[0].AllowedFirst() {
		got = append(got, x.Review.Operation())
	}
	if diff := cmp.Diff([]string{"UPDATE", "CREATE", "DELETE"}, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}
