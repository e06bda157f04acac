package agnhost

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// addLabel is A-03.
func addLabel(_ context.Context, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	object, refusal := read[metav1.PartialObjectMetadata](r.Object.Raw)
	if refusal != nil {
		return refusal
	}
	const label, path = "added-label", "/metadata/labels"
	value, found := object.Labels[label]
	switch {
	case len(object.Labels) == 0:
		return allowWith(change{"add", path, map[string]string{label: "yes"}})
	case !found:
		return allowWith(change{"add", path + "/" + label, "yes"})
	case value != "yes":
		return allowWith(change{"replace", path + "/" + label, "yes"})
	}
	return allow()
}

// judgeDefinition is A-12. It has an opinion on the metadata alone, which is
// the same in both versions.
func judgeDefinition(
	_ context.Context, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	definitions := metav1.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions"}
	if r.Resource.Version == "v1beta1" {
		definitions.Version = "v1beta1"
	}
	if refusal := of(definitions, r); refusal != nil {
		return refusal
	}
	object, refusal := read[metav1.PartialObjectMetadata](r.Object.Raw)
	if refusal != nil {
		return refusal
	}
	if object.Labels[entry] == disallowed {
		return deny("the crd contains unwanted label")
	}
	return allow()
}
