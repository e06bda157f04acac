// Package rules validates values by their Go type, wherever they are in an
// object. For example, a rule for containers applies to pods and to every pod
// template. The package has the common rules of kube-apiserver v1.37 for the
// kinds of k8s.io/api, with kube-apiserver's messages, except the rules that
// tags declare (package declared).
//
//	rules.go       Validate, which walks through an object
//	make.go        functions that make rules
//	enums.go       the types with a list of values
//	pods.go, containers.go, volumes.go, scheduling.go  pod specs
//	workloads.go, schedule.go  the kinds with pod templates
//	network.go     Services, Ingresses, NetworkPolicies and the like
//	config.go      ConfigMaps, Secrets, quota and RBAC
//	storage.go     volumes, claims and classes
//	devices.go     resource.k8s.io
//	cluster.go     everything else
//
// Rules validate a value after defaulting. If the old object of an update has
// the same error, it is not reported, so that users can update objects from
// earlier releases of gatehouse. The package does not validate the status and
// the metadata of the object itself.
package rules
