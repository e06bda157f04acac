// Package crdconversion converts custom objects through the conversion webhooks
// of their CustomResourceDefinitions, as kube-apiserver does: with the code of
// k8s.io/apiextensions-apiserver, over HTTPS.
//
// Make sets the definition's defaults and checks its webhook with the rules of
// an API server; it does not call the webhook. A conversion is one call with a
// ConversionReview, in the first known version of conversionReviewVersions,
// unless the object has the version already. The answer must have the kind,
// version, name, namespace and uid of the object; of its metadata only labels
// and annotations are used.
//
// The package adds limits to that code: an answer ends after 8 MiB, and one
// that is no JSON after 256 KiB; a redirect must keep scheme, host and port;
// warnings are not logged; a panic is an error. There are no credentials.
//
// Convertors are safe for concurrent use. A conversion cannot be canceled,
// because runtime.ObjectConvertor has no context; it ends after Config.Timeout,
// including retries (Retry-After). Errors of Make begin with the definition's
// name and the field; those of conversions are kube-apiserver's.
//
// The package does not prune, default or validate the answer, and has no
// convertors for the strategy None. Calls are counted in apiserver's global
// metrics registry, which gatehouse does not expose.
package crdconversion
