// Package requests builds the admission requests of a cluster from manifests
// and the settings of a command line, from request files, and from recorded
// AdmissionReviews.
//
//  1. Every document becomes a draft: endpoint, operation and objects. For a
//     manifest the endpoint follows from the kind and the subresource; the
//     stored object of an UPDATE has the same resource, namespace and name, and
//     is one of the stored objects or an earlier document. Request files have
//     all of it.
//  2. The objects of a draft get the defaults of their kind and the version of
//     the endpoint; for a scale subresource a scalable object becomes its
//     Scale.
//  3. A patch, or server-side apply, makes the new object from the stored one.
//  4. Package request makes the request and checks its arguments.
//
// The objects of an AdmissionReview are only converted, from the version of the
// webhook to that of the client: an API server has processed them already. A
// review that no server would send is an error, because users write them too.
//
// An error has the position. It names arguments as flags for manifests, and as
// fields for request files. There is one error for every bad document.
//
// A Maker belongs to one goroutine and is used once: Make makes all requests, and
// Store, One and Unpaired make one after the other of any number. Documents and their
// objects are not modified or shared with requests. The package does not read
// files or validate objects; simulate.Request does the rest of an API server's
// work.
package requests
