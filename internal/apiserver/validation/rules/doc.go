// Package rules validates values by their Go type, wherever they are in an
// object: a rule for containers holds in pods and in every pod template. It has
// the common rules of kube-apiserver v1.37 for the kinds of k8s.io/api that no tag
// declares (package declared), with kube-apiserver's messages.
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
// Rules see a value after defaulting. An error that the old object of an update
// has, too, is not reported, so that objects of earlier releases of gatehouse can
// be updated. The status and the metadata of the object itself are not walked
// through.
package rules
