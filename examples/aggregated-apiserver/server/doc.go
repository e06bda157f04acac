// Package server builds the API server for robots from k8s.io/apiserver's
// recommended options and gatehouse's admission plugins.
//
//	NewOptions   the options, with defaults
//	AddFlags     the flags
//	New          database, storage, admission chain and API, not yet serving
//	Run          serves until its context ends, then drains and closes
//
// Webhook configurations and namespaces come from the host, the cluster of
// --kubeconfig. Robots are in the server's own database.
//
//	options.go     the options and their flags
//	admission.go   the plugins of the chain: copy this into other servers
//	etcd.go        the embedded database
//	tokens.go      authentication without a host
//	server.go      the server
//
// An Options creates one server. A process may run several servers, each with
// its own data.
//
// New returns setup errors. Run returns nil after its context has ended, and an
// error if it could not serve.
//
// The package does not create the APIService that registers the server with the
// host; see README.md.
package server
