// Package informed follows the policies of an API server, for the evaluators of
// package dispatcher/policy:
//
//	Source   a policy.Source over informers of policies and bindings
//	Params   their params, with one informer for each kind that policies name
//	Schemas  the schemas by which mutations are merged, from OpenAPI documents
//
// # What is in force
//
// A request that begins after an informer has delivered a change sees the change.
// kube-apiserver's plugins compile policies once a second.
//
// A param that its informer does not have yet is read from the API server, as by
// kube-apiserver. A kind of params that the API server did not serve is looked for
// again after a second, and a schema as soon as a kind is not in the known ones;
// kube-apiserver needs up to 30 and 5 seconds.
//
// # Ownership
//
// A Source and the informers of Params have goroutines, which end when the channels
// are closed that Follow and NewParams received. Everything is safe for concurrent
// use.
package informed
