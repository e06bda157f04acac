// Package informed follows the policies of an API server, for the evaluators of
// package dispatcher/policy:
//
//	Source   a policy.Source over informers of policies and bindings
//	Params   their params, with one informer for each kind that policies name
//	Schemas  the schemas by which mutations are merged, from OpenAPI documents
//
// # What is in force
//
// A change is in force for every request that begins after the informer has
// delivered it. kube-apiserver's plugins compile policies once a second.
//
// If the informer does not have a param yet, Params reads it from the API
// server, as kube-apiserver does. If the API server did not serve a kind of
// params, Params looks for it again after a second. Schemas does the same for a
// kind that is missing in the known documents. kube-apiserver needs up to 30 and 5
// seconds.
//
// # Ownership
//
// A Source, from the first change or request, and the informers of Params have
// goroutines. They end when the channels that Follow and NewParams received are
// closed. Compiling, and fetching a list or document of Schemas, goes on after the
// request that began it: the former until it is done, the latter up to 30 seconds.
// Everything is safe for concurrent use.
package informed
