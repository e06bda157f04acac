package integration_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/shop"
)

// spoiled is a pod that a webhook breaks with every write, and a client that
// records the server's warnings.
type spoiled struct {
	corev1client.PodInterface
	warnings *list
}

// spoil stores a pod and then installs a webhook that patches whatever is
// written.
func (s *server) spoil(t *testing.T, name string, object *corev1.Pod, patch func(*corev1.Pod) string) spoiled {
	t.Helper()
	namespace := s.namespace(t, name)
	config := rest.CopyConfig(s.config)
	warnings := &list{}
	config.WarningHandler = warnings
	pods := clientFor(t, config).CoreV1().Pods(namespace)
	if _, err := pods.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	hooks := process.ServeTLS(t, reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		shown := &corev1.Pod{}
		if err := json.Unmarshal(r.Object.Raw, shown); err != nil {
			return shop.Deny(err.Error())(r)
		}
		return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(patch(shown)), PatchType: new(admissionv1.PatchTypeJSONPatch)}
	}))
	s.install(t, "mutating", name, registrationv1.MutatingWebhook{
		Name: "admission.integration.test", ClientConfig: at(hooks, "/"), Rules: on("pods", registrationv1.Create, registrationv1.Update),
		NamespaceSelector: within(namespace), AdmissionReviewVersions: []string{"v1", "v1beta1"},
	})
	return spoiled{pods, warnings}
}

// write changes the pod in one of two ways, and returns it as it is stored
// then.
func (p spoiled) write(t *testing.T, verb, name string) *corev1.Pod {
	t.Helper()
	var stored *corev1.Pod
	var err error
	switch verb {
	case "PATCH":
		stored, err = p.Patch(t.Context(), name, types.JSONPatchType, []byte(`[]`), metav1.PatchOptions{})
	case "PUT":
		if stored, err = p.Get(t.Context(), name, metav1.GetOptions{}); err == nil {
			stored, err = p.Update(t.Context(), stored, metav1.UpdateOptions{})
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", verb, err)
	}
	return stored
}

// testDuplicateOwners is I-O1 (PATCH), I-O2 (PUT) and I-O3 (DELETE): an owner
// that a webhook adds once more is not stored, and the client is warned.
func testDuplicateOwners(t *testing.T, s *server) {
	owned := pod("owned")
	owner, err := s.CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	owned.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Namespace", Name: owner.Name, UID: owner.UID}}
	p := s.spoil(t, "i-o", owned, func(shown *corev1.Pod) string {
		if len(shown.OwnerReferences) == 0 {
			return `[]`
		}
		return `[{"op":"copy","from":"/metadata/ownerReferences/0","path":"/metadata/ownerReferences/-"}]`
	})
	want := []string{".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, " +
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + string(owner.UID)}
	for _, verb := range []string{"PATCH", "PUT"} {
		stored := p.write(t, verb, "owned")
		if diff := cmp.Diff(owned.OwnerReferences, stored.OwnerReferences); diff != "" {
			t.Errorf("%s: owners (-want, +got):\n%s", verb, diff)
		}
		if diff := cmp.Diff(want, p.warnings.take()); diff != "" {
			t.Errorf("%s: warnings (-want, +got):\n%s", verb, diff)
		}
	}
	if err := p.Delete(t.Context(), "owned", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if more := p.warnings.take(); len(more) > 0 {
		t.Errorf("I-O3: the deletion, which writes nothing, was warned of: %q", more)
	}
}

// testBrokenManagedFields is I-F1 (PATCH) and I-F2 (PUT): managedFields that a
// webhook made invalid are not stored, and the client is warned.
func testBrokenManagedFields(t *testing.T, s *server) {
	p := s.spoil(t, "i-f", pod("managed"), func(shown *corev1.Pod) string {
		if len(shown.ManagedFields) == 0 {
			return `[]`
		}
		return `[{"op":"remove","path":"/metadata/managedFields/0/apiVersion"},{"op":"remove","path":"/metadata/managedFields/0/fieldsV1"},` +
			`{"op":"remove","path":"/metadata/managedFields/0/fieldsType"}]`
	})
	const want = ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: "
	for _, verb := range []string{"PATCH", "PUT"} {
		stored := p.write(t, verb, "managed")
		for _, entry := range stored.ManagedFields {
			if entry.APIVersion != "v1" || entry.FieldsType != "FieldsV1" || entry.FieldsV1 == nil {
				t.Errorf("%s: stored was %+v", verb, entry)
			}
		}
		if len(stored.ManagedFields) == 0 {
			t.Errorf("%s: the object has no managed fields", verb)
		}
		if got := p.warnings.take(); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: got warnings %q, want one that begins with %q", verb, got, want)
		}
	}
}
