package agnhost

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// entry is the key of the label, and of the data entry, that selects a webhook's
// response; disallowed is the value that webhooks deny.
const entry, disallowed = "webhook-e2e-test", "webhook-disallow"

// holder is a kind of objects that have data, and the message of its denial.
type holder struct {
	// resource is the only one that is known. The zero value is whatever comes.
	resource            metav1.GroupVersionResource
	unwanted, permanent metav1.StatusReason
}

func configMaps() holder {
	return holder{
		metav1.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		"the configmap contains unwanted key and value",
		"the configmap cannot be deleted because it contains unwanted key and value",
	}
}

func customResources() holder {
	return holder{
		metav1.GroupVersionResource{},
		"the custom resource contains unwanted data",
		"the custom resource cannot be deleted because it contains unwanted key and value",
	}
}

// dataOf returns the data of what is written or deleted, or how to refuse it.
func (h holder) dataOf(
	r *admissionv1.AdmissionRequest,
) (map[string]string, *admissionv1.AdmissionResponse) {
	if h.resource != (metav1.GroupVersionResource{}) {
		if refusal := of(h.resource, r); refusal != nil {
			return nil, refusal
		}
	}
	raw := r.Object.Raw
	if r.Operation == admissionv1.Delete {
		raw = r.OldObject.Raw
	}
	object, refusal := read[struct{ Data map[string]string }](raw)
	if refusal != nil {
		return nil, refusal
	}
	return object.Data, nil
}

// judge is the handler of.
func (h holder) judge(
	_ context.Context, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	data, refusal := h.dataOf(r)
	if refusal != nil {
		return refusal
	}
	writes := r.Operation == admissionv1.Create || r.Operation == admissionv1.Update
	switch {
	case writes && data[entry] == disallowed:
		return denyBecause(h.unwanted)
	case r.Operation == admissionv1.Delete && data[entry] == "webhook-nondeletable":
		return denyBecause(h.permanent)
	}
	return allow()
}

// stage is. An object without data has nothing to add to.
func (h holder) stage(
	_ context.Context, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	data, refusal := h.dataOf(r)
	switch {
	case refusal != nil:
		return refusal
	case data["mutation-stage-1"] == "yes":
		return allowWith(change{"add", "/data/mutation-stage-2", "yes"})
	case data["mutation-start"] == "yes":
		return allowWith(change{"add", "/data/mutation-stage-1", "yes"})
	}
	return allow()
}
