// Package agnhost implements the webhooks of Kubernetes' end-to-end tests: the
// handlers of the catalogue, with the same paths and messages.
//
//	/always-deny               A-01  denies
//	/always-allow-delay-5s     A-02  allows, after five seconds
//	/add-label                 A-03  adds a label to objects with metadata
//	/pods                      A-04  denies by label and by container name, or hangs
//	/pods/attach               A-05  denies attaching to one container of one pod
//	/mutating-pods             A-06  adds an init container to one pod
//	/mutating-pods-sidecar     A-07  adds a container to all pods
//	/configmaps                A-08  denies by one entry of the data
//	/mutating-configmaps       A-09  adds to the data, in two stages
//	/custom-resource           A-10  as A-08, for custom resources
//	/mutating-custom-resource  A-11  as A-09, for custom resources
//	/crd                       A-12  denies by the label of a CustomResourceDefinition
//	/readyz                    A-13  responds with ok
//
// The steps of a review, A-00, in order: check the content type; decode the
// body as v1 or v1beta1; convert v1beta1 to v1; call the handler of the path;
// set the uid of the request; convert the response back; write it.
//
// Concurrency: the handler of New is safe for concurrent use and keeps no
// state. A handler that waits returns when the client disconnects, so that a
// server can be closed.
//
// Errors: a body that is no AdmissionReview gets status 400. A handler denies
// what it does not understand, with the reason in the status message. A review
// without a request aborts the connection, as upstream's handlers panic on it.
package agnhost
