// Package apiserver serves Kubernetes API types from one process: an API server
// that client-go and kubectl take for kube-apiserver as far as its resources go,
// with a database of its own and nothing to install.
//
// It puts k8s.io/apiserver's generic server to work. What that one leaves to its
// users is here, in this order:
//
//	resources.go       the table of what is served, in resources_*.go; a plain
//	                   resource is a line
//	scheme.go          the Go types of the table, and how they are encoded
//	conversions.go     the kinds that have several versions
//	kinds.go           what the table says of single kinds; births.go of new objects,
//	                   rules*.go of valid ones, fields.go of selectors,
//	                   columns_*.go of the tables that tables.go makes
//	strategy.go        what happens to an object before it is stored
//	configurations.go  the same for webhook configurations, by package registration
//	store.go           the table's rows as storage
//	parts.go           subresources that change a part of an object; the others are
//	                   scale.go, binding.go, eviction.go, tokens.go and connect.go
//	addresses.go       the addresses of services
//	reviews.go         who clients are and what they may do, when they ask
//	namespaces.go      how namespaces are deleted: by janitor.go, with sweeper.go
//	definitions.go     the OpenAPI documents, from package openapi
//	identity.go        certificates, token, and who holds them
//	hosts.go           the names under which it answers
//	listen.go          the port
//	version.go         the release that it says it is
//	chain.go           the admission plugins that the caller wants
//	services.go        where webhooks are
//	audit.go           the audit log
//	extensions.go      CustomResourceDefinitions, and what they define
//	generic.go         all of it as a configuration of the generic server
//	server.go          Start and Stop
//	ready.go           waiting until it serves
//	kubeconfig.go      how kubectl reaches it
//
// Package inforce tells clients when webhooks are called as an object says, and
// package install waits for it.
//
// Start returns when /readyz says so, which takes a few hundred milliseconds.
// Stop lets requests finish, ends watches, and closes the database.
//
// Objects are defaulted by package defaults, written as kube-apiserver's internal
// types would by package internalversion, and converted by package convert: an autoscaler is
// the same in both its versions, and an event in both its groups. Webhook
// configurations are defaulted and validated by package registration, as
// kube-apiserver does. Of all others the metadata is validated, and this:
//
//   - containers have names and images, of pods and in templates; there is one
//   - workloads select the pods of their template, and go on selecting the same
//   - a CronJob has a schedule
//   - a pod keeps its spec, but for images, activeDeadlineSeconds, more tolerations,
//     fewer scheduling gates, and a terminationGracePeriodSeconds that was negative
//   - a service has ports, unless it is headless or a name only, and keeps its address;
//     several ports have names
//   - a Secret keeps its type; it and a ConfigMap keep their data once they are immutable
//   - a role binding keeps its role
//
// Services get addresses from 10.96.0.0/16, so that they look right. Nobody is there
// and nobody is called there. They get no ports on nodes.
//
// A namespace that is deleted is Terminating, and nothing can be created in it if the
// plugin NamespaceLifecycle is in the chain, until the server has deleted what is in
// it, as a client of itself and so with admission, as the user system:apiserver; then
// it goes. One that keeps something, because a webhook refuses or a finalizer is left,
// is tried again every second; its status does not say why. The namespaces default,
// kube-system, kube-public and kube-node-lease are there from the start; nothing else
// is in the database that no client has put there.
//
// There are no controllers, no scheduler and no nodes. A pod is deleted at once,
// whatever its grace period. Nobody collects garbage, which is why the propagation
// policy of a deletion is ignored. An eviction deletes the pod, and asks no
// PodDisruptionBudget. The token of a service account is made up and grants nothing.
// Requests to exec, attach, port-forward and proxy pass admission and end with 501;
// logs of pods are not served at all. Roles and quotas are stored and mean nothing,
// and so do time to live and uniqueness of events, priorities and default classes.
//
// Custom resources are served by k8s.io/apiextensions-apiserver, which shares
// admission plugins, database and documents with the table. It has habits of its own:
// whoever creates an object of a kind that was established less than two seconds ago
// waits for two seconds, and a first list is told to come again after one.
//
// Webhooks are called on this machine only, unless Config says otherwise.
//
// Whoever holds the server's token, or a certificate that it has issued for a
// client, may do everything; everyone else may do nothing, not even ask whether the
// server is ready. A TokenReview knows this one token, and reviews of access say yes,
// whoever they are about. The server listens on 127.0.0.1 unless Config says otherwise.
// It answers to localhost, to addresses, and to the name that it listens at if that is one;
// a server that listens everywhere answers to all names. Web pages of other hosts are
// refused, and no page may read an answer: there are no CORS headers.
// The token is not written to any log, and neither are the keys, which exist in memory
// and in the kubeconfig only.
//
// Concurrency: a process may have any number of servers, at the same time and one
// after the other. They share what k8s.io/apiserver has once per process: feature
// gates, which are left at their defaults, metrics, which count for all servers
// together, and klog, to which a server writes a few lines as it comes and goes.
// The methods of a Server may be called from everywhere.
//
// Errors of Start say what was attempted, and leave nothing behind. One trap is
// k8s.io/apiserver's: when one of its start-up hooks fails, it ends the process.
package apiserver
