// +k8s:openapi-gen=true
// +k8s:openapi-model-package=com.example.toys.v1

// Package v1 is the current version of the API group toys.example.com, in which
// objects are stored.
//
//	types.go         the kind, with its names on the wire
//	defaults.go      what an absent field means
//	conversion.go    from and to package toys
//	deepcopy.go      copies
//	zz_generated…    the names of the types in OpenAPI documents
//
// Types and functions hold no state.
package v1
