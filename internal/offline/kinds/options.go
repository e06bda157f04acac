package kinds

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Option is something that a registry does not know by itself.
type Option func(*Registry)

// Defaulting adds the defaulting functions of built-in kinds. register is called
// once, by New, with the scheme that has their Go types; it may only add to it.
// Without it only CustomResourceDefinitions have defaults.
func Defaulting(register func(*runtime.Scheme)) Option {
	return func(r *Registry) { register(r.scheme) }
}

// Roundtrip says what a server's internal types do to built-in objects, besides their
// defaults. settle changes an object in place, and twice is the same as once. Without
// it nothing is done.
func Roundtrip(settle func(runtime.Object)) Option {
	return func(r *Registry) { r.roundtrip = settle }
}

// ConversionWebhooks says how to convert custom objects whose definition has the
// strategy Webhook. Without it they cannot be converted to other versions.
//
// connect is called when a definition's objects are first converted, at most
// once for each definition, and what it returns is kept, an error included. The
// definition belongs to connect; it is defaulted and has a
// spec.conversion.webhook.clientConfig. Of the convertor ConvertToVersion is
// used, with unstructured objects that it may keep or change. It has to be safe
// for concurrent use. Its errors stand at the end of those of a conversion.
func ConversionWebhooks(connect func(*apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error)) Option {
	return func(r *Registry) { r.connect = connect }
}
