// Package server puts the API server for robots together, out of k8s.io/apiserver's
// recommended options and gatehouse's admission plugins.
//
//	NewOptions   what the server is made from, with defaults for everything
//	AddFlags     the flags that change it
//	New          database, storage, admission chain and API, not yet serving
//	Run          serves until its context ends, then drains and closes
//
// Webhook configurations and namespaces come from the host: the cluster that the
// flag kubeconfig leads to. Robots are in a database of this server's own.
//
//	options.go     the options and their flags
//	admission.go   which plugins are in the chain: what to copy into other servers
//	etcd.go        the database inside the process
//	tokens.go      how clients are let in without a host that knows them
//	server.go      the server
//
// # Concurrency
//
// An Options makes one server and may be changed until then. A process may have any
// number of servers, each with its own data.
//
// # Errors
//
// New says what could not be set up. Run returns nil after its context has ended,
// and an error if it could not serve.
//
// # What it does not do
//
// It does not create the APIService that makes the host pass requests on; see
// README.md.
package server
