// +k8s:openapi-gen=true
// +k8s:openapi-model-package=com.example.toys.v1

// Package v1 is the current version of the API group toys.example.com, and the
// storage version.
//
//	types.go         the kind, with its JSON names
//	defaults.go      the defaults of absent fields
//	conversion.go    conversion from and to package toys
//	deepcopy.go      copies
//	zz_generated…    the names of the types in OpenAPI documents
package v1
