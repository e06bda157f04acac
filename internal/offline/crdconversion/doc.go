// Package crdconversion converts custom objects through the conversion webhooks of
// their CustomResourceDefinitions, as kube-apiserver does: with the code of
// k8s.io/apiextensions-apiserver, over real HTTPS.
//
// The steps, in order:
//
//  1. Make sets the definition's defaults, as an API server would when the
//     definition is created, and checks what concerns the webhook, with the rules
//     and mostly with the words of an API server. It calls nobody.
//  2. A conversion of an object that has the version already, or has nothing but
//     its apiVersion and kind, calls nobody either.
//  3. Any other is one call of the webhook with a ConversionReview, in the first
//     of the definition's conversionReviewVersions that is known: v1 or v1beta1.
//  4. The answer is checked. Another kind, version, name, namespace or uid than
//     the object's is an error; labels and annotations are the webhook's; all other
//     metadata is the object's, whatever the webhook says. Only an answer in v1
//     has to repeat the uid of the request and to be of the version that was sent.
//
// What the package adds to that code is caution. An answer ends after 8 MiB, and
// one that is no JSON after 256 KiB, where kube-apiserver reads on until its time is
// up. A redirect is followed only to the same scheme, host and port, as it is for
// admission webhooks. Warnings that a webhook sends in its headers are not logged. A
// panic is an error. And there are no credentials: not even for the API server's own
// service, for which that code would look for those of the pod in which it runs.
//
// Concurrency: convertors may be used by many goroutines. A conversion cannot be
// canceled, because runtime.ObjectConvertor knows no context; it ends after
// Config.Timeout, in which repetitions that the webhook asks for (Retry-After) are
// included.
//
// Errors of Make begin with the definition's name and the field at fault. Those of
// conversions are kube-apiserver's, which name the version and kind of the object.
//
// What the package does not do: it neither prunes nor defaults nor validates what
// the webhook returns, and makes no convertors for the strategy None. The calls are
// counted in apiserver's global metrics registry, which nobody reads here.
package crdconversion
