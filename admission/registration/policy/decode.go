package policy

import (
	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/admission/registration/internal/decoding"
)

// Decode decodes one policy or binding, as JSON or as YAML. It does not default,
// convert or validate it; v1beta1 and v1alpha1 stay what they are.
//
// Unknown and duplicate fields, other errors and the modes are as in
// registration.Decode. Decode returns an object or an error, never both.
func Decode(
	data []byte, mode registration.FieldValidation,
) (o Object, warnings []string, err error) {
	return decoding.Decode(data, string(mode), decoding.Kinds[Object]{
		Noun: "an admission policy or binding",
		New:  blank,
		Others: "is not a ValidatingAdmissionPolicy, MutatingAdmissionPolicy or binding of one" +
			" of admissionregistration.k8s.io/v1, v1beta1 or v1alpha1",
	})
}
