package decoding

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kinds are the kinds that Decode accepts.
type Kinds[T runtime.Object] struct {
	// Noun names one of the objects in messages, with its article.
	Noun string
	// New returns an empty object of a kind, or false for other kinds.
	New func(schema.GroupVersionKind) (T, bool)
	// Others is the end of the message for other kinds, such as `is not a Pod`.
	Others string
}

// Decode decodes one object, as JSON or as YAML. mode is a value of the query
// parameter fieldValidation: it selects what happens to unknown and duplicate
// fields. The error is for runtime.AsStrictDecodingError if only those are
// wrong.
func Decode[T runtime.Object](
	data []byte, mode string, kinds Kinds[T],
) (object T, warnings []string, err error) {
	var none T
	if wrong := metav1validation.ValidateFieldValidation(field.NewPath("fieldValidation"),
		mode); len(wrong) > 0 {
		return none, nil, wrong.ToAggregate()
	}
	text, repeated, err := toJSON(data)
	if err != nil {
		return none, nil, err
	}
	object, err = blank(text, kinds)
	if err != nil {
		return none, nil, err
	}
	violations, err := unmarshal(text, object)
	if err != nil {
		return none, nil, err
	}
	violations = append(repeated, violations...)
	switch {
	case len(violations) == 0 || mode == metav1.FieldValidationIgnore:
		return object, nil, nil
	case mode == metav1.FieldValidationStrict:
		return none, nil, runtime.NewStrictDecodingError(violations)
	default:
		return object, warningsOf(violations), nil
	}
}

// blank returns an empty object of the kind and version in the JSON. The field
// names are case-sensitive, as in the rest of the object.
func blank[T runtime.Object](text []byte, kinds Kinds[T]) (none T, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return none, fmt.Errorf("%s must be an object with apiVersion and kind", kinds.Noun)
	}
	apiVersion, err := name(fields, "apiVersion")
	if err != nil {
		return none, err
	}
	kind, err := name(fields, "kind")
	if err != nil {
		return none, err
	}
	object, known := kinds.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	if !known {
		return none, fmt.Errorf("%s %s %s", apiVersion, kind, kinds.Others)
	}
	return object, nil
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

// unmarshal fills the object and returns the strict errors. It uses the
// serializer of API servers, which fills the object in spite of strict errors.
func unmarshal(text []byte, object runtime.Object) ([]error, error) {
	// With an empty scheme, the serializer decodes into the type of the object.
	none := runtime.NewScheme()
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, none, none,
		serializer.SerializerOptions{Strict: true})
	_, _, err := decoder.Decode(text, nil, object)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return strict.Errors(), nil
	}
	return nil, err
}
