// Package inforce tells clients of an API server when webhooks are called as an object
// says. A client has its answer as soon as a webhook configuration is stored; the
// admission plugins learn of it a moment later, and until then requests pass it by.
//
// A Reporter stands between the server's informers and those who follow them: Tap for
// the plugins, which follow webhook configurations by event handlers, and Follow for
// those who look for services in the informers' stores. It notes what each handler has
// been told, after it has been told, and clients ask for it at Path.
//
// It knows nothing of what handlers do, and relies on this: a request that begins after
// a handler has returned meets what the handler was told. That is so for gatehouse's
// plugins and for those of k8s.io/apiserver.
//
// Concurrency: a Reporter may be used from everywhere. It has no goroutines; those who
// wait do so in their requests.
//
// What it does not do: it forgets no object, and reports no deletion.
package inforce
