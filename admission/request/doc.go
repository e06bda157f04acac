// Package request makes the requests that a client can send to an API server,
// as webhooks see them: one function for each verb.
//
//	Create             POST, also to pods/binding, pods/eviction,
//	                   serviceaccounts/token and, in the versions that had it,
//	                   deployments/rollback
//	Update, Patch      PUT and PATCH, also of status, scale, resize and the like
//	Apply              server-side apply
//	Delete             DELETE of one object
//	DeleteCollection   DELETE of a collection: one request for each member
//	Connect            exec, attach, portforward and proxy
//
// An Endpoint says where the request goes, a By who sends it and with which
// options. Whoever calls knows the resource of a kind and whether it has
// namespaces; which kind a subresource takes is known here.
//
// # Steps
//
// Every function takes the same ones, in this order:
//
//  1. the kind that the endpoint takes for the operation, which for many
//     subresources is not the kind of the resource;
//  2. the options object that an API server would make of the query (S-216);
//  3. copies of the objects, with the kind filled in where it is missing
//     (S-219);
//  4. the name and the namespace of the request, on which the endpoint and all
//     objects have to agree; objects without a namespace get the request's, as
//     they would from an API server.
//
// # Concurrency
//
// There is no state. What is passed in is copied and never modified, and the
// request belongs to the caller.
//
// # Errors
//
// An error says which request could not be made, and ends with an ArgumentError: the
// argument or the field at fault, such as Endpoint.Name, By.FieldManager or
// object.metadata.namespace, and what is wrong with it. What an API server would refuse before it asks any
// webhook is an error here, as far as it can be told from the arguments.
//
// # What it does not do
//
// It does not convert, default or validate objects, nor apply patches: Patch
// and Apply want the outcome. An object whose apiVersion and kind are empty is
// known by the name of its Go type, of which the version cannot be told: it is
// taken to be that of the endpoint. What the strategy of a single resource does
// to a request before webhooks are asked is left out (see Delete). The package
// does not know which resources there are, and of their subresources only those
// of kube-apiserver and of custom resources. Requests to others, such as those
// of aggregated APIs, are admission.Request literals.
package request
