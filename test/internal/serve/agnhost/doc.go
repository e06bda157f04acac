// Package agnhost is the webhooks that Kubernetes' end-to-end tests bring along, in an
// implementation of our own: the handlers of the catalogue, under the same
// paths and with the same words.
//
//	/always-deny               A-01  denies
//	/always-allow-delay-5s     A-02  allows, after five seconds
//	/add-label                 A-03  adds a label to whatever has metadata
//	/pods                      A-04  denies by label and by name of a container, or hangs
//	/pods/attach               A-05  denies to attach to one container of one pod
//	/mutating-pods             A-06  adds an init container to one pod
//	/mutating-pods-sidecar     A-07  adds a container to all pods
//	/configmaps                A-08  denies by one entry of the data
//	/mutating-configmaps       A-09  adds to the data, in two stages
//	/custom-resource           A-10  as A-08, for custom resources
//	/mutating-custom-resource  A-11  as A-09, for custom resources
//	/crd                       A-12  denies by the label of a CustomResourceDefinition
//	/readyz                    A-13  says ok
//
// The steps of a review, A-00, in order: the content type is looked at; the body is
// decoded, as v1 or as v1beta1; one of v1beta1 is turned into one of v1; the handler
// of the path answers; the answer gets the uid of the request, goes back to the version
// it came in, and is written.
//
// Concurrency: the handler that New returns serves any number of requests at the same
// time, and keeps nothing of them. Those that wait stop waiting when the caller hangs
// up, so that a server can be closed.
//
// Errors: what is no review is answered with 400. What a handler does not understand it
// denies, and says why in the message of the status. A review without a request ends
// the connection, as it does upstream, where nobody has expected one.
//
// What it does not do: listen, or know of TLS.
package agnhost
