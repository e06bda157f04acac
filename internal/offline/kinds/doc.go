// Package kinds maps kinds to resources without a cluster, and creates, decodes
// and converts their objects.
//
// A Registry has the built-in kinds that kube-apiserver of this release can
// serve, from a table generated from k8s.io/api and client-go (table.go, see
// gen), with the Go types of client-go's scheme; and the custom kinds of the
// CustomResourceDefinitions that AddCRD gets, whose objects are unstructured.
//
// The caller creates a Registry with New, adds every definition with AddCRD,
// and only reads from then on. A Registry is then safe for concurrent use, if
// the functions in the options are. Lookup finds the resource of a kind,
// Resource finds one by name, Body finds the subresource that takes a kind,
// Decode and ScaleOf create objects, and ObjectInterfaces serves the engine.
//
// Package convert converts built-in objects. Custom objects get another
// apiVersion or, with the strategy Webhook and the option ConversionWebhooks,
// go through a conversion webhook.
//
// Package strategy prunes, defaults and validates custom objects, and validates
// the metadata of built-in ones. ObjectInterfaces is a simulate.Storage that
// calls it around the phases.
//
// Errors name the kind and a remedy, such as the version that is served. A
// conversion that fails changes nothing. The package sets no defaults without
// its options, and knows no aggregated APIs.
package kinds

//go:generate go run ./gen
