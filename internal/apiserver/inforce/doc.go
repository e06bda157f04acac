// Package inforce tells clients when the server calls webhooks and evaluates
// policies as an object says. A client gets its response as soon as a webhook
// configuration or a policy is stored; the admission plugins receive the watch event
// a moment later, and until then requests bypass it.
//
// A Tracker records the resource versions that event handlers have processed:
// TrackPlugins covers the handlers of admission plugins for webhook
// configurations, policies and bindings, and TrackServices the informers of Services and
// EndpointSlices, whose stores the service resolver reads. Clients wait for a
// version with a GET at Path. The package assumes that a request that begins
// after a handler returned is handled according to the event; that holds for
// gatehouse's plugins and for the webhook plugins of k8s.io/apiserver.
//
// Concurrency: a Tracker may be used concurrently. It starts no goroutines.
//
// Limits: objects are never removed from the tracker, and clients cannot wait
// for a deletion.
package inforce
