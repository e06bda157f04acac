package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/examples/quickstart/webhooks"
)

// ask sends a pod to the webhook at path and returns the response, after the
// checks that the API server makes.
func ask(ctx context.Context, t *testing.T, path string, pod *corev1.Pod) *admissionv1.AdmissionResponse {
	t.Helper()
	recorder := post(ctx, path, body(t, newReview(t, pod)))
	if recorder.Code != http.StatusOK {
		t.Fatalf("POST %s: got status %d: %s", path, recorder.Code, recorder.Body)
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(recorder.Body.Bytes(), &review); err != nil {
		t.Fatalf("decoding the answer: %v", err)
	}
	if got, want := review.TypeMeta, reviewType(); got != want {
		t.Errorf("the answer is a %v, want %v", got, want)
	}
	response := review.Response
	if response == nil || response.UID != "some-uid" {
		t.Fatalf("the answer has no response for the request's uid: %s", recorder.Body)
	}
	if (response.PatchType == nil) != (response.Patch == nil) {
		t.Errorf("the answer has only one of patch and patchType: %s", recorder.Body)
	}
	return response
}

// post sends a body to the webhook at path, with the right method and content
// type.
func post(ctx context.Context, path string, body []byte) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	webhooks.Handler().ServeHTTP(recorder, request)
	return recorder
}

// newReview returns a review of the creation of a pod, or of no object if pod
// is nil.
func newReview(t *testing.T, pod *corev1.Pod) *admissionv1.AdmissionReview {
	t.Helper()
	request := &admissionv1.AdmissionRequest{
		UID:       "some-uid",
		Kind:      metav1.GroupVersionKind{Version: "v1", Kind: "Pod"},
		Operation: admissionv1.Create,
	}
	if pod != nil {
		request.Object = runtime.RawExtension{Raw: body(t, pod)}
	}
	return &admissionv1.AdmissionReview{TypeMeta: reviewType(), Request: request}
}

func reviewType() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}
}

func body(t *testing.T, object any) []byte {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatalf("encoding %T: %v", object, err)
	}
	return data
}

// apply applies the response's patch to the pod with the API server's library.
func apply(t *testing.T, pod *corev1.Pod, response *admissionv1.AdmissionResponse) *corev1.Pod {
	t.Helper()
	if response.Patch == nil {
		return pod
	}
	patch, err := jsonpatch.DecodePatch(response.Patch)
	if err != nil {
		t.Fatalf("decoding the patch %s: %v", response.Patch, err)
	}
	patched, err := patch.Apply(body(t, pod))
	if err != nil {
		t.Fatalf("applying the patch %s: %v", response.Patch, err)
	}
	result := &corev1.Pod{}
	if err := json.Unmarshal(patched, result); err != nil {
		t.Fatalf("decoding the patched pod: %v", err)
	}
	return result
}

// newPod returns a pod with the labels and one container per image.
func newPod(labels map[string]string, images ...string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod", Labels: labels}}
	for i, image := range images {
		name := string(rune('a' + i))
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: name, Image: image})
	}
	return pod
}
