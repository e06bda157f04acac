package webhookserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podsResource() metav1.GroupVersionResource {
	return metav1.GroupVersionResource{Version: "v1", Resource: "pods"}
}

// readPod returns the pod of a request, or a denial.
func readPod(asked *admissionv1.AdmissionRequest) (*corev1.Pod, *admissionv1.AdmissionResponse) {
	if no := mustBe(asked, podsResource()); no != nil {
		return nil, no
	}
	var pod corev1.Pod
	if err := json.Unmarshal(asked.Object.Raw, &pod); err != nil {
		return nil, denied(err.Error())
	}
	return &pod, nil
}

// denyPods denies by label and by names of containers, or waits until the
// client goes away.
func denyPods(r *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	pod, no := readPod(asked)
	if no != nil {
		return no
	}
	var complaints string
	switch pod.Labels[wish] {
	case waitForever:
		<-r.Context().Done()
		return nil
	case disallow:
		complaints += "the pod contains unwanted label; "
	}
	for _, c := range pod.Spec.Containers {
		if strings.Contains(c.Name, disallow) {
			complaints += "the pod contains unwanted container name; "
		}
	}
	if complaints != "" {
		return denied(strings.TrimSpace(complaints))
	}
	return allowed()
}

// denyAttaching denies the standard input of one container of one pod.
func denyAttaching(
	_ *http.Request, asked *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	if asked.Name != "to-be-attached-pod" {
		return allowed()
	}
	if asked.Resource != podsResource() {
		return denied(fmt.Sprintf("expect resource to be %s, got %s", podsResource(), asked.Resource))
	}
	if asked.SubResource != "attach" {
		return denied(fmt.Sprintf("expect subresource to be attach, got %s", asked.SubResource))
	}
	var options corev1.PodAttachOptions
	if err := json.Unmarshal(asked.Object.Raw, &options); err != nil {
		return denied(err.Error())
	}
	if options.Stdin && options.Container == "container1" {
		return denied("attaching to pod 'to-be-attached-pod' is not allowed")
	}
	return allowed()
}

// addInitContainer adds one to pods of one name that lack it.
func addInitContainer(
	_ *http.Request, asked *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	const name = "webhook-added-init-container"
	pod, no := readPod(asked)
	if no != nil {
		return no
	}
	if pod.Name != "webhook-to-be-mutated" || contains(pod.Spec.InitContainers, name) {
		return allowed()
	}
	return patched(`[{"op":"add","path":"/spec/initContainers","value":[{"image":"webhook-added-image","name":"` + name + `","resources":{}}]}]`)
}

// addSidecar adds one to pods that lack it.
func addSidecar(image string) handler {
	return func(_ *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		const name = "webhook-added-sidecar"
		if image == "" {
			return &admissionv1.AdmissionResponse{Result: &metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
				Message: "No image specified by the sidecar-image parameter",
			}}
		}
		pod, no := readPod(asked)
		if no != nil {
			return no
		}
		if contains(pod.Spec.Containers, name) {
			return allowed()
		}
		return patched(fmt.Sprintf(`[{"op":"add","path":"/spec/containers/-","value":{"image":%q,"name":%q,"resources":{}}}]`, image, name))
	}
}

func contains(containers []corev1.Container, name string) bool {
	for _, c := range containers {
		if c.Name == name {
			return true
		}
	}
	return false
}
