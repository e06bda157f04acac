package dispatcher_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// subresourceRow is a body that is sent to a subresource, or to none.
type subresourceRow struct {
	row
	object      runtime.Object
	kind        schema.GroupVersionKind
	resource    schema.GroupVersionResource
	subresource string

	// mutating and validating are the uids that webhooks see; "new" is one that
	// the client did not send.
	mutating, validating types.UID
	// named: the name is generated.
	named bool
}

func subresourceRows() []subresourceRow {
	meta := metav1.ObjectMeta{GenerateName: "web-", Namespace: "shop", UID: "sent"}
	core, pods := corev1.SchemeGroupVersion, podResource
	token := authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")
	binding := core.WithKind("Binding")
	return []subresourceRow{
		{row: row{"pods", "what is stored is wiped and filled in"}, object: &corev1.Pod{ObjectMeta: meta},
			kind: podKind, resource: pods, validating: "new", named: true},
		{row: row{"pods/eviction", "the handler wipes all bodies; the registry does not see this one"}, object: &policyv1.Eviction{ObjectMeta: meta},
			kind: policyv1.SchemeGroupVersion.WithKind("Eviction"), resource: pods, subresource: "eviction"},
		{row: row{"pods/binding", "the uid is the pod's"}, object: &corev1.Binding{ObjectMeta: meta},
			kind: binding, resource: pods, subresource: "binding", mutating: "sent", validating: "sent"},
		{row: row{"serviceaccounts/token", "the uid is the account's"}, object: &authenticationv1.TokenRequest{ObjectMeta: meta},
			kind: token, resource: core.WithResource("serviceaccounts"), subresource: "token", mutating: "sent", validating: "sent"},
		{row: row{"binding of another group", "only the storage of pods asks for it"}, object: &corev1.Binding{ObjectMeta: meta},
			kind: binding, resource: schema.GroupVersionResource{Group: "toys.example.com", Version: "v1", Resource: "pods"}, subresource: "binding"},
		{row: row{"bindings", "the old endpoint is no subresource"}, object: &corev1.Binding{ObjectMeta: meta},
			kind: binding, resource: core.WithResource("bindings"), validating: "new", named: true},
	}
}

// TestSimulateSubresources checks what webhooks receive of a new object whose
// name is in the path (S-215, S-360).
func TestSimulateSubresources(t *testing.T) {
	t.Parallel()
	testtable.Run(t, subresourceRows(), func(t *testing.T, tc subresourceRow) {
		r := creation(tc.object)
		r.Kind, r.Resource, r.Subresource, r.SystemFields = tc.kind, tc.resource, tc.subresource, true
		reviews, got := reviewed(t, r, allow())
		if !got.Allowed || len(reviews) != 2 {
			t.Fatalf("%d reviews, status %v", len(reviews), got.Status)
		}
		for i, want := range []types.UID{tc.mutating, tc.validating} {
			m := metadataIn(t, reviews[i])
			uid := m.UID
			if uid != "" && uid != "sent" {
				uid = "new"
			}
			filled := !m.CreationTimestamp.IsZero()
			if uid != want || filled != (want == "new") || (m.Name != "") != (tc.named && i == 1) || reviews[i].Request.Name != "web" {
				t.Errorf("review %d of %q: metadata %+v, want uid %q", i, reviews[i].Request.Name, m, want)
			}
		}
	})
}

// metadataIn returns the metadata of the object in a review.
func metadataIn(t *testing.T, review *admissionv1.AdmissionReview) metav1.ObjectMeta {
	t.Helper()
	var object metav1.PartialObjectMetadata
	if err := json.Unmarshal(review.Request.Object.Raw, &object); err != nil {
		t.Fatal(err)
	}
	return object.ObjectMeta
}

// TestSimulateNames renames the object while it is admitted. The request's name
// is the one in the path, whatever webhooks call the object; for a new object
// it may be there that it gets its name from (S-215).
func TestSimulateNames(t *testing.T) {
	t.Parallel()
	rename := patches(`[{"op":"add","path":"/metadata/name","value":"other"}]`)
	for _, tc := range []struct {
		operation          admissionv1.Operation
		path, object, want string
	}{
		{admissionv1.Create, "web", "web", "web"},
		{admissionv1.Create, "", "web", "web"},
		{admissionv1.Create, "", "", "other"},
		{admissionv1.Update, "web", "web", "web"},
		{admissionv1.Update, "", "web", ""},
	} {
		sent := pod()
		sent.Name = tc.object
		r := creation(sent)
		r.Operation, r.Name = tc.operation, tc.path
		if tc.operation == admissionv1.Update {
			r.OldObject = pod()
		}
		reviews, got := reviewed(t, r, rename)
		if len(reviews) != 2 || reviews[1].Request.Name != tc.want || metadataIn(t, reviews[1]).Name != "other" {
			t.Errorf("%+v: reviews %+v, status %v", tc, reviews, got.Status)
		}
	}
}

// reviewed simulates a request for one of client-go's kinds, or for a custom
// one, and returns the review of each phase. The mutating webhook answers as
// given.
func reviewed(t *testing.T, r *admission.Request, mutating exchange) ([]*admissionv1.AdmissionReview, *admission.Response) {
	t.Helper()
	var reviews []*admissionv1.AdmissionReview
	noting := func(e exchange) exchange {
		return func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			review := &admissionv1.AdmissionReview{}
			reviews = append(reviews, review)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if err := json.Unmarshal(body, review); err != nil {
				return nil, err
			}
			return e(r)
		}
	}
	s := bothPhases(noting(mutating), noting(allow()))
	s.objects = apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	response := s.simulate(t, r)
	return reviews, response
}
