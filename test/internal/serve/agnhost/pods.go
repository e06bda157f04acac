package agnhost

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podOf returns the pod of a request, or how to refuse the request.
func podOf(r *admissionv1.AdmissionRequest) (*corev1.Pod, *admissionv1.AdmissionResponse) {
	if refusal := ofPods(r); refusal != nil {
		return nil, refusal
	}
	return read[corev1.Pod](r.Object.Raw)
}

func ofPods(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return of(metav1.GroupVersionResource{Version: "v1", Resource: "pods"}, r)
}

// judgePod is A-04. A pod may ask to be waited for, which is a webhook that
// hangs.
func judgePod(ctx context.Context, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	pod, refusal := podOf(r)
	if refusal != nil {
		return refusal
	}
	var complaints string
	switch pod.Labels[entry] {
	case disallowed:
		complaints = "the pod contains unwanted label; "
	case "wait-forever":
		<-ctx.Done()
		return deny("the client has disconnected")
	}
	unwanted := func(c corev1.Container) bool { return strings.Contains(c.Name, disallowed) }
	if slices.ContainsFunc(pod.Spec.Containers, unwanted) {
		complaints += "the pod contains unwanted container name; "
	}
	if complaints != "" {
		return deny(strings.TrimSpace(complaints))
	}
	return allow()
}

// judgeAttach is A-05. Of pods with other names it does not even look at the
// rest.
func judgeAttach(
	_ context.Context, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	const guarded = "to-be-attached-pod"
	if r.Name != guarded {
		return allow()
	}
	if refusal := ofPods(r); refusal != nil {
		return refusal
	}
	if r.SubResource != "attach" {
		return deny("expect subresource to be attach")
	}
	options, refusal := read[corev1.PodAttachOptions](r.Object.Raw)
	if refusal != nil {
		return refusal
	}
	if options.Stdin && options.Container == "container1" {
		return deny(fmt.Sprintf("attaching to pod '%s' is not allowed", guarded))
	}
	return allow()
}

// container is as much of a container as is added to pods.
type container struct {
	Image     string   `json:"image"`
	Name      string   `json:"name"`
	Resources struct{} `json:"resources"`
}

// has reports whether one of the containers has the name.
func has(containers []corev1.Container, name string) bool {
	return slices.ContainsFunc(containers, func(c corev1.Container) bool { return c.Name == name })
}

// addInitContainer is A-06.
func addInitContainer(
	_ context.Context, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	pod, refusal := podOf(r)
	if refusal != nil {
		return refusal
	}
	const added = "webhook-added-init-container"
	if pod.Name != "webhook-to-be-mutated" || has(pod.Spec.InitContainers, added) {
		return allow()
	}
	return allowWith(
		change{"add", "/spec/initContainers", []container{{Image: "webhook-added-image", Name: added}}})
}

// addSidecar is A-07.
func addSidecar(image string) answer {
	return func(_ context.Context, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if image == "" {
			return &admissionv1.AdmissionResponse{Result: &metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
				Message: "No image specified by the sidecar-image parameter",
			}}
		}
		pod, refusal := podOf(r)
		if refusal != nil {
			return refusal
		}
		const added = "webhook-added-sidecar"
		if has(pod.Spec.Containers, added) {
			return allow()
		}
		return allowWith(change{"add", "/spec/containers/-", container{Image: image, Name: added}})
	}
}
