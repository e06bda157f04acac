package registration

import (
	"encoding/json"
	"errors"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
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
	if wrong := metav1validation.ValidateFieldValidation(field.NewPath("fieldValidation"),
		string(mode)); len(wrong) > 0 {
		return nil, nil, wrong.ToAggregate()
	}
	text, repeated, err := toJSON(data)
	if err != nil {
		return nil, nil, err
	}
	c, err = blank(text)
	if err != nil {
		return nil, nil, err
	}
	violations, err := unmarshal(text, c)
	if err != nil {
		return nil, nil, err
	}
	violations = append(repeated, violations...)
	switch {
	case len(violations) == 0 || mode == Ignore:
		return c, nil, nil
	case mode == Strict:
		return nil, nil, runtime.NewStrictDecodingError(violations)
	default:
		return c, warningsOf(violations), nil
	}
}

// blank returns an empty configuration of the kind and version in the JSON. The
// field names are case-sensitive, as in the rest of the object.
func blank(text []byte) (Configuration, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return nil, errors.New("a webhook configuration must be an object with apiVersion and kind")
	}
	apiVersion, err := name(fields, "apiVersion")
	if err != nil {
		return nil, err
	}
	kind, err := name(fields, "kind")
	if err != nil {
		return nil, err
	}
	switch schema.FromAPIVersionAndKind(apiVersion, kind) {
	case registrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"):
		return &registrationv1.MutatingWebhookConfiguration{}, nil
	case registrationv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"):
		return &registrationv1.ValidatingWebhookConfiguration{}, nil
	case registrationv1beta1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"):
		return &registrationv1beta1.MutatingWebhookConfiguration{}, nil
	case registrationv1beta1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"):
		return &registrationv1beta1.ValidatingWebhookConfiguration{}, nil
	}
	return nil, fmt.Errorf(
		"%s %s is not a MutatingWebhookConfiguration or ValidatingWebhookConfiguration of %s or %s",
		apiVersion,
		kind,
		registrationv1.SchemeGroupVersion,
		registrationv1beta1.SchemeGroupVersion.Version,
	)
}

func name(fields map[string]json.RawMessage, key string) (string, error) {
	var s string
	if err := json.Unmarshal(fields[key], &s); err != nil && fields[key] != nil {
		return "", fmt.Errorf("%s must be a string", key)
	}
	if s == "" {
		return "", fmt.Errorf("%s is missing", key)
	}
	return s, nil
}

// unmarshal fills c and returns the strict errors. It uses the serializer of
// API servers, which fills c in spite of strict errors.
func unmarshal(text []byte, c Configuration) ([]error, error) {
	// With an empty scheme, the serializer decodes into the type of c.
	none := runtime.NewScheme()
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, none, none,
		serializer.SerializerOptions{Strict: true})
	_, _, err := decoder.Decode(text, nil, c)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return strict.Errors(), nil
	}
	return nil, err
}
