package kinds

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Option adds defaults or conversions to a Registry.
type Option func(*Registry)

// Defaulting turns on defaulting: of custom objects by their schema, and of
// built-in objects by the functions of a scheme that NewScheme made. Registries
// may share the scheme, which must not change any more. Without it only
// CustomResourceDefinitions have defaults.
func Defaulting(types *runtime.Scheme) Option {
	return func(r *Registry) { r.defaults, r.scheme = true, types }
}

// Roundtrip sets the function that applies the changes of a server's internal
// types to a built-in object, in place. It must be idempotent. The default does
// nothing.
func Roundtrip(normalize func(runtime.Object)) Option {
	return func(r *Registry) { r.roundtrip = normalize }
}

// ConversionWebhooks sets the function that returns the convertor of a
// definition with the strategy Webhook. Without it such objects cannot be
// converted.
//
// The Registry calls connect on the first conversion, at most once for each
// definition, and keeps the result, an error included. The definition belongs
// to connect; it is defaulted and has a spec.conversion.webhook.clientConfig.
// The Registry calls ConvertToVersion only, concurrently, with unstructured
// objects that the convertor may keep or change.
func ConversionWebhooks(
	connect func(*apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error),
) Option {
	return func(r *Registry) { r.connect = connect }
}
