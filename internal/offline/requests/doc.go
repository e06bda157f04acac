// Package requests turns what people write into the requests that a cluster would
// have seen: manifests with the settings of a command line, request files, and
// AdmissionReviews that were recorded somewhere.
//
// # Steps
//
//  1. Every document becomes an order: the endpoint, the operation and the objects,
//     as its author named them. For a manifest the endpoint follows from the kind and
//     the subresource; for an UPDATE the stored object is found by resource, namespace
//     and name, among the stored objects or, if there are none, among the documents
//     before it. Resources of two groups that hold the same objects are one. Request
//     files say everything themselves.
//  2. The objects of an order are settled: they get the defaults of their kind, and
//     the version of the endpoint; for a scale subresource a scalable object becomes
//     its Scale.
//  3. A patch, or what is applied, makes the new object of the stored one.
//  4. Package request makes the request, and checks that all that was said fits
//     together.
//
// AdmissionReviews take none of these steps but a conversion: what they hold has been
// through an API server, one that may be newer and know more fields. They were sent in
// the version that a webhook asked for, and the request is in the version that the
// client used. As people write reviews, too, those that no server sends are refused.
//
// # Errors
//
// An error says in which file, document and line it happened, in the words of whoever
// wrote it: of flags for manifests, of fields for request files. There is one for every
// document with a mistake.
//
// # Concurrency
//
// A Maker belongs to one goroutine and is used once. Documents and their objects are
// not modified; requests share nothing with them.
//
// # What it does not do
//
// It does not read files, decode manifests, or know kinds (see package kinds). It does
// not validate objects, and of what an API server does around admission it does only
// the above (see dispatcher.Simulate for the rest).
package requests
