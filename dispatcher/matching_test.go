package dispatcher_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// conditionRow is a matchCondition and a failurePolicy. What follows, in both
// phases, is in testdata/conditions. The policy decides what an error is
// (S-252).
type conditionRow struct {
	row
	expression string
	policy     registrationv1.FailurePolicyType
}

func TestConditions(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []conditionRow{
		{row{"true", "S-153: conditions that hold leave no trace"}, `object.metadata.name == "web"`, registrationv1.Fail},
		{row{"false", "S-132: the webhook is skipped, which metrics count"}, `object.metadata.name == "other"`, registrationv1.Fail},
		{row{"error", "S-131, S-151: the request is forbidden, no webhook is called"}, `object.metadata.labels.x == "y"`, registrationv1.Fail},
		{row{"error ignored", "S-151: the webhook is skipped; no annotation and no fail-open tell of it"}, `object.metadata.labels.x == "y"`, registrationv1.Ignore},
		{row{"error under an unknown policy", "S-152: the webhook is called"}, `object.metadata.labels.x == "y"`, "Sometimes"},
	}, func(t *testing.T, tc conditionRow) {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", tc.Why())
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			s := one(phase, allow(), func(w *admission.Webhook) {
				w.FailurePolicy = &tc.policy
				w.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: tc.expression}}
			})
			r := s.run(t.Context(), t, phase)
			fmt.Fprintf(&b, "\n---- %v\n%s", phase, r.describe(t))
			for _, m := range r.matches {
				if m.Conditions.Elapsed <= 0 {
					t.Errorf("%v: the conditions took %v", phase, m.Conditions.Elapsed)
				}
			}
		}
		matchFile(t, b.String(), "conditions", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

// TestMatchingSeesPatches: the first webhook adds a label that decides whether
// the second one is called (S-092, S-101).
func TestMatchingSeesPatches(t *testing.T) {
	t.Parallel()
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"by": "first"}}
	namespace := request{
		kind: corev1.SchemeGroupVersion.WithKind("Namespace"), resource: corev1.SchemeGroupVersion.WithResource("namespaces"),
		object: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"app": "shop"}}},
	}
	for name, tc := range map[string]struct {
		request request
		edit    func(*admission.Webhook)
	}{
		"object selector":    {request{object: pod("app", "web")}, func(w *admission.Webhook) { w.ObjectSelector = selector }},
		"namespace selector": {namespace, func(w *admission.Webhook) { w.NamespaceSelector = selector }},
		"condition": {request{object: pod("app", "web")}, func(w *admission.Webhook) {
			w.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: `"by" in object.metadata.labels`}}
		}},
	} {
		for first, want := range map[string]int{`[` + addLabel("by", "first") + `]`: 2, `[]`: 1} {
			s := &testRequest{
				webhooks: []*admission.Webhook{hook(admission.Mutating, "a"), hook(admission.Mutating, "b", tc.edit)},
				backends: backends{"a": patches(first), "b": allow()},
				request:  tc.request,
			}
			s.request.object = tc.request.object.DeepCopyObject()
			r := s.run(t.Context(), t, admission.Mutating)
			if r.err != nil || len(r.calls) != want {
				t.Errorf("%s after %s: error %v, calls %v, want %d", name, first, r.err, calledIn(r.calls), want)
			}
		}
	}
}

// TestCustomResources patches an object whose kind is in no scheme. It is
// unstructured and carries its kind, so it needs no conversion (S-171).
func TestCustomResources(t *testing.T) {
	t.Parallel()
	object := func(labels map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "toys.example.com/v1", "kind": "Train",
			"metadata": map[string]any{"name": "web", "labels": labels}, "wheels": int64(8),
		}}
	}
	s := bothPhases(patches(`[`+addLabel("by", "m")+`,{"op":"replace","path":"/wheels","value":12}]`), allow())
	s.objects = apiadmission.NewObjectInterfacesFromScheme(runtime.NewScheme())
	r := creation(object(map[string]any{"app": "web"}))
	r.Kind, r.Resource = toysV1.WithKind("Train"), toysV1.WithResource("trains")
	got := s.simulate(t, r)
	want := object(map[string]any{"app": "web", "by": "m"})
	want.Object["wheels"] = int64(12)
	if diff := cmp.Diff(runtime.Object(want), got.Object); diff != "" || !got.Allowed || !got.Calls[0].Changed {
		t.Errorf("status %v, object (-want +got):\n%s", got.Status, diff)
	}
}
