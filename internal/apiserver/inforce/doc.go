// Package inforce tells clients when a stored webhook configuration or policy
// is in force. A client gets its response as soon as the object is stored. The
// admission plugins receive the watch event a moment later, and until then
// requests bypass the new webhook or policy.
//
// A Tracker records the resource versions that event handlers have processed:
// TrackPlugins covers the handlers of admission plugins for webhook
// configurations, policies and bindings, and TrackServices the informers of
// Services and EndpointSlices, whose stores the service resolver reads. Clients
// wait for a version with a GET at Path. The package assumes that the plugins
// handle a request according to an event if the request begins after the
// handler of the event has returned. This is true of gatehouse's plugins and of
// the webhook plugins of k8s.io/apiserver.
//
// Concurrency: a Tracker may be used concurrently. It starts no goroutines.
//
// Limits: the tracker never removes objects, and clients cannot wait for a
// deletion.
package inforce
