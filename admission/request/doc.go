// Package request builds the requests that webhooks receive when a client calls
// an API server. There is one function for each verb.
//
//	Create             POST, also to pods/binding, pods/eviction and
//	                   serviceaccounts/token
//	Update, Patch      PUT and PATCH, also of status, scale, resize and the like
//	Apply              server-side apply
//	Delete             DELETE of one object
//	DeleteCollection   DELETE of a collection: one request for each member
//	Connect            exec, attach, portforward and proxy
//
// FromReview returns the request of an AdmissionReview that an API server has
// sent.
//
// An Endpoint is the URL of the request; a By is its user and options. The
// caller passes the resource of a kind and whether it is namespaced. The
// package knows the kinds of subresources.
//
// # Steps
//
// Every function for a verb
//
//  1. determines the kind of the body, which for many subresources is not the
//     kind of the resource;
//  2. builds the options object that an API server would build from the query
//     (S-216);
//  3. copies the objects and sets their kind if it is missing (S-219);
//  4. determines name and namespace of the request. The endpoint and all
//     objects must agree on them; objects without a namespace get that of the
//     request.
//
// # Concurrency
//
// The package has no state. Functions copy their arguments and do not modify
// them. The request belongs to the caller.
//
// # Errors
//
// An error names the request, and wraps an ArgumentError with the invalid
// argument or field, such as Endpoint.Name, By.FieldManager or
// object.metadata.namespace. The functions return an error if their arguments
// show that an API server would reject the request before it calls webhooks.
//
// # What it does not do
//
// It does not convert, default or validate objects, and does not apply patches:
// pass the result to Patch and Apply. If the apiVersion and kind of an object
// are empty, its kind is the name of its Go type and its version that of the
// endpoint. The package leaves out what the strategy of a single resource does
// before the API server calls webhooks (see Delete). It does not know which
// resources exist, and knows only the subresources of kube-apiserver and of
// custom resources. For other requests, such as those of aggregated APIs, use
// admission.Request literals.
//
// Numbers such as S-123 refer to docs/semantics.md.
package request
