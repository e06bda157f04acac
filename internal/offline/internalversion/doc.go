// Package internalversion does to built-in objects what kube-apiserver v1.37 does to them
// by turning them into its internal types and back, so that webhooks see offline
// what they would see in a cluster. docs/defaulting.md lists every field.
//
// The internal types are not quite those of the API. Some lack a field that the API
// has twice, some cannot leave out what the API can. An object that has been
// through one is the object it was, written differently: a Secret has its
// stringData in data.
//
// The steps, in order, are those of a server:
//
//  1. A request is decoded, its object gets the defaults of its version (package
//     defaults), and becomes internal.
//  2. A webhook is called with the object in the version it asks for. That is the
//     first time that Settle is due.
//  3. The object that webhooks have patched is decoded and gets defaults, but stays
//     as it is: the next mutating webhook sees stringData if this one wrote it.
//  4. It becomes internal when a webhook asks for another version, or no webhook is
//     left that may change it (S-170). From then on it is the outcome of Settle again.
//
// So Settle is for whoever makes an object of what somebody wrote, after defaulting,
// and for whoever stands in for a server's conversions, including those to the
// version that the object has.
//
// What is done is decided by the object alone. Doing it twice is the same as once.
// Unlike defaulting it may remove and replace what is written.
//
// Since v1.37 the internal types of pods are those of the API; what was done here
// before that, such as serviceAccount for serviceAccountName, is defaulting now, and
// is done by package defaults.
//
// Concurrency: Settle has no state and may run at the same time for different
// objects.
//
// Errors: there are none. What a server would refuse to decode, such as a number in
// an annotation that is none, is left as it is.
//
// What the package does not do: it converts to no other version, as package convert
// does, sets no defaults, and expects them to be set. Custom objects have no internal type and stay as they are. So do lists, and
// a HorizontalPodAutoscaler in v1 with two metrics for the CPU, of which a server
// would lose one. The annotations of that kind in v1 are not removed from one in v2,
// nor those of rollbacks written anew in Deployments. What is done before objects
// are stored is nowhere: for one, annotations in which pods had init containers are
// removed there, no longer here.
package internalversion
