package registration

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/registration/internal/decoding"
)

// FieldValidation selects what Decode does with unknown and duplicate fields,
// as the query parameter of that name does. The empty string is Warn.
type FieldValidation string

const (
	// Ignore drops unknown fields, and of duplicates all but the last.
	Ignore FieldValidation = metav1.FieldValidationIgnore
	// Warn does the same and returns warnings.
	Warn FieldValidation = metav1.FieldValidationWarn
	// Strict returns an error.
	Strict FieldValidation = metav1.FieldValidationStrict
)

// Decode decodes one webhook configuration, as JSON or as YAML. It does not
// default, convert or validate it; v1beta1 stays v1beta1.
//
// For unknown and duplicate fields Decode returns an API server's texts, such
// as `unknown field "webhooks[0].foo"`: as warnings in mode Warn, and as one
// error for runtime.AsStrictDecodingError in mode Strict. The parts of the
// error have a method FieldPath, except for duplicates in YAML, which have a
// line.
//
// Other errors are syntax errors, values of the wrong type, an unknown mode,
// more than one YAML document, and objects of another kind or version. No error
// quotes a caBundle. Decode returns a configuration or an error, never both.
func Decode(data []byte, mode FieldValidation) (c Configuration, warnings []string, err error) {
	return decoding.Decode(data, string(mode), decoding.Kinds[Configuration]{
		Noun: "a webhook configuration",
		New:  blank,
		Others: fmt.Sprintf("is not a MutatingWebhookConfiguration or ValidatingWebhookConfiguration"+
			" of %s or %s",
			registrationv1.SchemeGroupVersion, registrationv1beta1.SchemeGroupVersion.Version),
	})
}

// blank returns an empty configuration of a kind and version.
func blank(kind schema.GroupVersionKind) (Configuration, bool) {
	switch kind {
	case registrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"):
		return &registrationv1.MutatingWebhookConfiguration{}, true
	case registrationv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"):
		return &registrationv1.ValidatingWebhookConfiguration{}, true
	case registrationv1beta1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"):
		return &registrationv1beta1.MutatingWebhookConfiguration{}, true
	case registrationv1beta1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"):
		return &registrationv1beta1.ValidatingWebhookConfiguration{}, true
	}
	return nil, false
}
