// Package apiserver runs an API server in this process: client-go and kubectl
// use it like kube-apiserver, and it calls admission webhooks. It is for tests
// and for `gatehouse serve`.
//
// It configures k8s.io/apiserver's generic server, with
// k8s.io/apiextensions-apiserver for custom resources behind it:
//
//	server.go                    Config, Start and Stop
//	generic.go                   the configuration of the generic server
//	admission.go                 the chain of admission plugins
//	audit.go                     the audit log
//	openapi*.go, version.go      the OpenAPI documents and /version
//	customresources*.go          CustomResourceDefinitions and custom resources
//	authorization.go             who may do what
//	listen.go, ready.go          the port, and waiting for /readyz
//	kubeconfig.go, users.go      the administrator's kubeconfig, and other users
//
// Its parts are in packages below it. They import each other in this direction:
//
//	registry         storage of the built-in resources; imports the next eight
//	scheme           Go types, defaults and conversions
//	validation       validation beyond metadata
//	printers         the columns of `kubectl get`
//	garbagecollector the garbage collector
//	namespaces       the namespace deletion controller
//	controller       what controllers share
//	rbac             authorization by roles, and those from the beginning
//	serviceaccounts  the tokens of service accounts
//	auth             certificates, tokens and the filter for web pages
//	openapi          the generated OpenAPI definitions
//	serviceresolver  connections to webhooks
//	inforce     waiting until a webhook configuration is in force
//	requests         the last requests with their explanations
//	status           errors as Statuses, for the last two
//	etcd             the database
//	install          applies manifests to a running server; imports inforce
//
// docs/serve.md says what the server serves and validates, and what does not
// happen: there are no nodes, and the only controllers delete namespaces and
// dependents.
// k8s.io/apiextensions-apiserver delays the first create of a new kind by up to
// 2 s.
//
// Security: a client with the server's token or client certificate may do
// everything; one with another user's may too, unless Config.RBAC is set; all other
// requests are refused, even those to /readyz. By default the server listens on
// 127.0.0.1 and connects to webhooks on this machine only. Requests of web pages from
// other hosts are refused. Tokens and keys are not logged.
//
// Concurrency: a process may run any number of servers. They share the feature
// gates, the metrics and klog of the process. The methods of a Server may be
// called concurrently.
//
// Errors: a Start that fails leaves nothing behind. k8s.io/apiserver ends the
// process if one of its post-start hooks fails.
package apiserver
