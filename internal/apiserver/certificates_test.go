package apiserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// TestSigning takes a certificate signing request from its creation to its
// certificate.
func TestSigning(t *testing.T) {
	t.Parallel()
	ctx, got := t.Context(), must[*certificatesv1.CertificateSigningRequest](t)
	client := typed(t, shared).CertificatesV1().CertificateSigningRequests()
	r := got(client.Get(ctx, seed(t, "certificatesigningrequests"), metav1.GetOptions{}))
	if r.Spec.Username != "gatehouse:admin" || len(r.Spec.Groups) == 0 || len(r.Status.Conditions) != 0 {
		t.Errorf("created %+v; want the requester and no conditions", r)
	}

	r.Spec.SignerName = "example.com/other"
	r.Spec.Username = "other"
	r = got(client.Update(ctx, r, metav1.UpdateOptions{}))
	if r.Spec.SignerName != "example.com/a" || r.Spec.Username != "gatehouse:admin" {
		t.Errorf("updated %+v; want the spec of before", r.Spec)
	}

	approved := certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue}
	failed := certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateFailed, Status: corev1.ConditionTrue}
	r.Status.Conditions = append(r.Status.Conditions, approved, failed)
	r = got(client.UpdateStatus(ctx, r, metav1.UpdateOptions{}))
	wantConditions(t, r, failed.Type)

	r.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{approved}
	r.Status.Certificate = []byte("none")
	r = got(client.UpdateApproval(ctx, r.Name, r, metav1.UpdateOptions{}))
	wantConditions(t, r, approved.Type)
	if len(r.Status.Certificate) > 0 || r.Status.Conditions[0].LastUpdateTime.IsZero() {
		t.Errorf("approved %+v; want a time and no certificate", r.Status)
	}

	r.Status.Conditions = nil
	wantConditions(t, got(client.UpdateStatus(ctx, r, metav1.UpdateOptions{})), approved.Type)
}

func wantConditions(t *testing.T, r *certificatesv1.CertificateSigningRequest, want ...certificatesv1.RequestConditionType) {
	t.Helper()
	var got []certificatesv1.RequestConditionType
	for _, c := range r.Status.Conditions {
		got = append(got, c.Type)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("conditions (-want, +got):\n%s", diff)
	}
}

// TestLocalAPIService: it is available at once, because this server serves it.
func TestLocalAPIService(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "apiservices"), reach(t, shared, find(t, "apiservices"))
	object := must[*unstructured.Unstructured](t)(client.Get(t.Context(), name, metav1.GetOptions{}))
	if object.Object["status"].(map[string]any)["conditions"] != nil {
		t.Errorf("another server's: %v", object.Object["status"])
	}
	_, err := client.Patch(t.Context(), name, types.MergePatchType, []byte(`{"spec":{"versionPriority":0}}`), metav1.PatchOptions{})
	wantInvalid(t, err, name, "spec.versionPriority: Invalid value: 0: must be positive and less than 1000")
	object = sample(t, find(t, "apiservices"), "v1."+own(t)+".local")
	unstructured.RemoveNestedField(object.Object, "spec", "service")
	created := must[*unstructured.Unstructured](t)(client.Create(t.Context(), object, metav1.CreateOptions{}))
	if conditions := at(t, created, "status.conditions").([]any); conditions[0].(map[string]any)["reason"] != "Local" {
		t.Errorf("this server's: %v", conditions)
	}
}
