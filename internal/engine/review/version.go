package review

import (
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
)

// The values of apiVersion in an AdmissionReview.
const (
	apiVersionV1      = admissionv1.GroupName + "/v1"
	apiVersionV1beta1 = admissionv1beta1.GroupName + "/v1beta1"
)

// Version is a version of admission.k8s.io.
type Version string

// The known versions.
const (
	V1      = Version("v1")
	V1beta1 = Version("v1beta1")
)

var errNoVersion = errors.New(
	"webhook does not accept known AdmissionReview versions (v1, v1beta1)")

// Select returns the first known version of a webhook's list (S-210).
func Select(versions []string) (Version, error) {
	for _, v := range versions {
		switch Version(v) {
		case V1, V1beta1:
			return Version(v), nil
		}
	}
	return "", errNoVersion
}

// start returns the JSON of a review up to its uid.
func (v Version) start() string {
	const kind, request = `{"kind":"AdmissionReview","apiVersion":"`, `","request":{"uid":"`
	if v == V1 {
		return kind + apiVersionV1 + request
	}
	return kind + apiVersionV1beta1 + request
}
