// Package envtest has the API of controller-runtime's package envtest. Instead
// of the programs etcd and kube-apiserver, it runs gatehouse's API server in
// the test process. In a suite, change one import line:
//
//	import "example.com/gatehouse/test/envtest" // was sigs.k8s.io/controller-runtime/pkg/envtest
//
// The package downloads nothing and starts no program. To talk to the running
// API server, it uses controller-runtime's own code: CRDInstallOptions,
// WebhookInstallOptions, InstallCRDs and others are controller-runtime's types
// and functions.
//
//	environment.go  Environment, Start, Stop and AddUser
//	controlplane.go what Start writes to Environment.ControlPlane, and flags
//	upstream.go     the types and functions of controller-runtime
//
// docs/envtest.md lists the differences and their reasons.
//
// Concurrency: any number of environments may run in one process. They share
// the klog and the metrics of the process. The methods of one Environment must not
// be called concurrently, except AddUser.
//
// Errors: if Start fails, the server may still run. Call Stop, as in
// controller-runtime.
//
// The package has its own Go module, so that gatehouse does not require
// controller-runtime.
package envtest
