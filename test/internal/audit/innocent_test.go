package audit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/auditlog/tally"
)

// stamp writes another value to each request, so that the webhooks before it are called again.
func stamp(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if json.NewDecoder(r.Body).Decode(&review) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch),
		Patch: fmt.Appendf(nil, `[{"op":"add","path":"/metadata/annotations","value":{"stamp":"%s"}}]`, review.Request.UID),
	}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// liveSystems sends what controllers do all day to objects that webhooks changed.
func liveSystems(t *testing.T, c *cluster) {
	ctx := t.Context()
	core, system := c.as(t, "ann", "kubectl").CoreV1(), c.as(t, "system:kube-controller-manager", "kube-controller-manager")
	stamped := must(core.ConfigMaps("shop").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: "stamped", Labels: map[string]string{"stamped": "yes"}}}, metav1.CreateOptions{}))(t)
	secret := must(core.Secrets("shop").Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "tls"}}, metav1.CreateOptions{}))(t)
	slice := must(system.DiscoveryV1().EndpointSlices("shop").Create(ctx, &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "web"}, AddressType: discoveryv1.AddressTypeIPv4}, metav1.CreateOptions{}))(t)
	for i := range 8 {
		// A webhook with an idempotent second round, and one whose value changes each time.
		stamped.Data = map[string]string{"i": fmt.Sprint(i)}
		stamped = must(core.ConfigMaps("shop").Update(ctx, stamped, metav1.UpdateOptions{}))(t)
		// The pods of a ReplicaSet.
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-"}}
		pod.Spec.Containers = []corev1.Container{{Name: "web", Image: "web"}}
		must(system.CoreV1().Pods("shop").Create(ctx, pod, metav1.CreateOptions{}))(t)
		// The endpoints of a Service.
		slice.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{fmt.Sprintf("10.0.0.%d", 1+i%2)}}}
		slice = must(system.DiscoveryV1().EndpointSlices("shop").Update(ctx, slice, metav1.UpdateOptions{}))(t)
		// A certificate is renewed.
		secret.Data = map[string][]byte{"tls.crt": {byte(i)}}
		secret = must(core.Secrets("shop").Update(ctx, secret, metav1.UpdateOptions{}))(t)
		// A finalizer is added, and its controller removes it.
		for _, patch := range []string{`{"metadata":{"finalizers":["example.com/clean"]}}`, `{"metadata":{"finalizers":null}}`} {
			must(core.ConfigMaps("shop").Patch(ctx, "c", types.MergePatchType, []byte(patch), metav1.PatchOptions{}))(t)
		}
		// An old object without the label is refused each time.
		old := deployment("calm")
		old.ResourceVersion = "1"
		if _, err := system.AppsV1().Deployments("shop").Update(ctx, old, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
			t.Fatal(err)
		}
	}
}

// checkSecondRound: the webhook that adds labels was called in second rounds, and changed
// nothing there.
func checkSecondRound(t *testing.T, counts *tally.Report) {
	t.Helper()
	for _, w := range counts.Webhooks {
		if w.Webhook == "team.example.com" && (w.Again < 8 || w.AgainChanges > 0) {
			t.Errorf("got %+v", w)
		}
	}
}
