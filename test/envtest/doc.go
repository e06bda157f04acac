// Package envtest has the names of controller-runtime's package of the same
// name, and runs gatehouse's API server in the process of the test in place of
// the programs etcd and kube-apiserver. A suite changes one import line:
//
//	import "example.com/gatehouse/test/envtest" // was sigs.k8s.io/controller-runtime/pkg/envtest
//
// Nothing is downloaded, and no program is looked for. Everything that talks to
// a running API server is controller-runtime's own code: CRDInstallOptions,
// WebhookInstallOptions, InstallCRDs and others are its types and functions.
//
//	environment.go  Environment, Start, Stop and AddUser
//	controlplane.go what Start writes to Environment.ControlPlane, and flags
//	upstream.go     the types and functions of controller-runtime
//
// docs/envtest.md lists what differs, and why.
//
// Concurrency: any number of environments may run in one process. They share
// the klog and the metrics of the process. The methods of one Environment must not
// be called concurrently, except AddUser.
//
// Errors: a Start that fails may leave the server running; Stop stops it, as in
// controller-runtime.
//
// The package is a Go module of its own, so that gatehouse does not require
// controller-runtime.
package envtest
