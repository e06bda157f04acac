// Package scheme makes the runtime.Schemes of the API server from the Go types
// of k8s.io/api.
//
//	scheme.go          groups, versions, internal versions and defaulting
//	conversions.go     conversions between versions
//	connectoptions.go  decoding of the query parameters of CONNECT requests
//
// kube-apiserver converts every object to an internal Go type of its group.
// Those types are in k8s.io/kubernetes, which cannot be imported; here the
// internal version of a kind has the Go type of its preferred version.
// Defaults, conversions and the effects of a conversion to kube-apiserver's
// internal type come from the packages defaults, convert and internalversion;
// webhook configurations are defaulted by package registration.
package scheme
