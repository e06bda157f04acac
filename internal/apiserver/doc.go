// Package apiserver runs an API server in this process, for tests and for
// `gatehouse serve`. client-go and kubectl use it like kube-apiserver, and it
// calls admission webhooks.
//
// It configures k8s.io/apiserver's generic server, which delegates custom
// resources to k8s.io/apiextensions-apiserver:
//
//	server.go                    Config, Start and Stop
//	generic.go                   the configuration of the generic server
//	admission.go                 the chain of admission plugins
//	audit.go                     the audit log
//	openapi*.go, version.go      the OpenAPI documents and /version
//	customresources*.go          CustomResourceDefinitions and custom resources
//	authorization.go             the authorizer
//	listen.go, ready.go          the port, and waiting for /readyz
//	kubeconfig.go, users.go      the administrator's kubeconfig, and other users
//
// Its parts are in the packages below it. Except for install, a package imports
// only packages that follow it in this list:
//
//	registry         storage of the built-in resources; imports the next eight
//	scheme           Go types, defaults and conversions
//	validation       validation beyond metadata
//	printers         the columns of `kubectl get`
//	garbagecollector the garbage collector
//	namespaces       the namespace deletion controller
//	controller       common parts of controllers
//	rbac             authorization by roles, and the initial roles
//	serviceaccounts  the tokens of service accounts
//	auth             certificates, tokens and the filter for web pages
//	openapi          the generated OpenAPI definitions
//	serviceresolver  connections to webhooks
//	inforce          waiting until a webhook configuration is in effect
//	requests         the last requests with their explanations
//	status           errors as Statuses, for the last two
//	etcd             the database
//	install          applies manifests to a running server; imports inforce
//
// docs/serve.md describes the served resources, the validation and the limits:
// there are no nodes, and the only controllers delete namespaces and
// dependents. k8s.io/apiextensions-apiserver delays the first create of a new
// kind by up to 2 s.
//
// Security: a client with the server's token or client certificate may do
// everything. Another authenticated user may do everything too, unless
// Config.RBAC is set. The server rejects all other requests, even those to
// /readyz, and requests of web pages from other hosts. By default it listens on
// 127.0.0.1 and connects to webhooks on this machine only. It does not log
// tokens and keys.
//
// Concurrency: a process may run any number of servers. They share the feature
// gates, the metrics and klog of the process. The methods of a Server may be
// called concurrently.
//
// Errors: if Start fails, it leaves nothing behind. If a post-start hook of
// k8s.io/apiserver fails, k8s.io/apiserver ends the process.
package apiserver
