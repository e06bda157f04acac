package integration_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/shop"
)

// testVersions is I-G1: each webhook sees objects of all versions in its own,
// and so do its conditions.
func testVersions(t *testing.T, s *server) {
	var seen list
	hooks := process.ServeTLS(t, reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		shown := &unstructured.Unstructured{}
		if err := shown.UnmarshalJSON(r.Object.Raw); err != nil {
			return shop.Deny(err.Error())(r)
		}
		seen.add(r.Kind.Version + " of " + r.RequestKind.Version + ": " + shown.GetAPIVersion() + " " + shown.GetName())
		return &admissionv1.AdmissionResponse{Allowed: true}
	}))
	webhook := func(name, version string) registrationv1.MutatingWebhook {
		return registrationv1.MutatingWebhook{
			Name: name, ClientConfig: at(hooks, "/"),
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.Create},
				Rule:       registrationv1.Rule{APIGroups: []string{"zoo.example.com"}, APIVersions: []string{version}, Resources: []string{"*/*"}},
			}},
			FailurePolicy: new(registrationv1.Ignore),
			MatchConditions: []registrationv1.MatchCondition{
				{Name: "own-version", Expression: "object.apiVersion == 'zoo.example.com/" + version + "'"},
			},
		}
	}
	second := webhook("admission.integration.test.v2", "v2")
	second.MatchPolicy = new(registrationv1.Equivalent)
	s.install(t, "mutating", "i-g1", second, webhook("admission.integration.test", "v1"))
	client, err := dynamic.NewForConfig(s.config)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"v1", "v2"} {
		pandas := client.Resource(schema.GroupVersionResource{Group: "zoo.example.com", Version: version, Resource: "pandas"})
		panda := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "zoo.example.com/" + version, "kind": "Panda", "metadata": map[string]any{"name": version + "-bears"},
		}}
		if _, err := pandas.Create(t.Context(), panda, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
	}
	want := []string{
		"v2 of v1: zoo.example.com/v2 v1-bears", "v1 of v1: zoo.example.com/v1 v1-bears",
		"v2 of v2: zoo.example.com/v2 v2-bears", "v1 of v2: zoo.example.com/v1 v2-bears",
	}
	if diff := cmp.Diff(want, seen.take()); diff != "" {
		t.Errorf("webhooks saw (-want, +got):\n%s", diff)
	}
}
