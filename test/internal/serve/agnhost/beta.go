package agnhost

import (
	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
)

// fromBeta converts a v1beta1 request. It panics if r is nil, as upstream does
// when it reads the uid.
func fromBeta(r *admissionv1beta1.AdmissionRequest) *admissionv1.AdmissionRequest {
	return &admissionv1.AdmissionRequest{
		UID:                r.UID,
		Kind:               r.Kind,
		Resource:           r.Resource,
		SubResource:        r.SubResource,
		RequestKind:        r.RequestKind,
		RequestResource:    r.RequestResource,
		RequestSubResource: r.RequestSubResource,
		Name:               r.Name,
		Namespace:          r.Namespace,
		Operation:          admissionv1.Operation(r.Operation),
		UserInfo:           r.UserInfo,
		Object:             r.Object,
		OldObject:          r.OldObject,
		DryRun:             r.DryRun,
		Options:            r.Options,
	}
}

func toBeta(r *admissionv1.AdmissionResponse) *admissionv1beta1.AdmissionResponse {
	return &admissionv1beta1.AdmissionResponse{
		UID:              r.UID,
		Allowed:          r.Allowed,
		Result:           r.Result,
		Patch:            r.Patch,
		PatchType:        (*admissionv1beta1.PatchType)(r.PatchType),
		AuditAnnotations: r.AuditAnnotations,
		Warnings:         r.Warnings,
	}
}
