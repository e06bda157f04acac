package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// handler serves the webhooks, each under its path:
//
//	/allow            allows the request
//	/deny             denies the request
//	/remark           allows the request, with a warning and an audit annotation
//	/set/KEY/VALUE    sets a label
//	/count            sets the label "containers" to the number of a pod's containers
//	/inject           adds a container to a pod, unless it exists
//	/foreign-uid      allows the request, with a wrong uid
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/allow", webhook(allow))
	mux.Handle("/deny", webhook(deny))
	mux.Handle("/remark", webhook(remark))
	mux.Handle("/set/{key}/{value}", webhook(set))
	mux.Handle("/count", webhook(count))
	mux.Handle("/inject", webhook(inject))
	mux.Handle("/foreign-uid", webhook(foreignUID))
	return mux
}

func allow(*http.Request, *admissionv1.AdmissionRequest, *admissionv1.AdmissionResponse) error {
	return nil
}

func deny(_ *http.Request, request *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	response.Allowed = false
	response.Result = &metav1.Status{
		Code:    http.StatusForbidden,
		Reason:  metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("%s is not allowed", request.Operation),
	}
	return nil
}

func remark(_ *http.Request, _ *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	response.Warnings = []string{"this namespace is closed on Friday"}
	response.AuditAnnotations = map[string]string{"reviewed": "yes"}
	return nil
}

func set(r *http.Request, request *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	return setLabel(request, response, r.PathValue("key"), r.PathValue("value"))
}

func count(_ *http.Request, request *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	pod, err := podOf(request)
	if err != nil {
		return err
	}
	return setLabel(request, response, "containers", strconv.Itoa(len(pod.Spec.Containers)))
}

func inject(_ *http.Request, request *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	pod, err := podOf(request)
	if err != nil {
		return err
	}
	for i := range pod.Spec.Containers {
		if pod.Spec.Containers[i].Name == "proxy" {
			return nil
		}
	}
	return patch(response, operation{"add", "/spec/containers/-",
		corev1.Container{Name: "proxy", Image: "registry.example.com/proxy:1.0"}})
}

func foreignUID(_ *http.Request, _ *admissionv1.AdmissionRequest,
	response *admissionv1.AdmissionResponse) error {
	response.UID = "of-another-request"
	return nil
}

// podOf returns the new object, which the configurations restrict to pods.
func podOf(request *admissionv1.AdmissionRequest) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if err := json.Unmarshal(request.Object.Raw, pod); err != nil {
		return nil, fmt.Errorf("reading the pod: %w", err)
	}
	return pod, nil
}
