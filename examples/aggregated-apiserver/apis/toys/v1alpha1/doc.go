// +k8s:openapi-gen=true
// +k8s:openapi-model-package=com.example.toys.v1alpha1

// Package v1alpha1 is the first version of the API group toys.example.com, which
// had other names for nearly everything: type, count, pieces and built are what v1
// calls model, replicas, parts and status.replicas. Nothing is lost on the way from
// one to the other.
//
//	types.go         the kind, with its names on the wire
//	defaults.go      what an absent field means
//	conversion.go    from and to package toys
//	deepcopy.go      copies
//	zz_generated…    the names of the types in OpenAPI documents
//
// Types and functions hold no state.
package v1alpha1
