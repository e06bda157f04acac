// +k8s:openapi-gen=true
// +k8s:openapi-model-package=com.example.toys.v1alpha1

// Package v1alpha1 is the first version of the API group toys.example.com.
// Nearly all of its names differ: type, count, pieces and built are v1's model,
// replicas, parts and status.replicas. Conversion between the two loses
// nothing.
//
//	types.go         the kind, with its JSON names
//	defaults.go      the defaults of absent fields
//	conversion.go    conversion from and to package toys
//	deepcopy.go      copies
//	zz_generated…    the names of the types in OpenAPI documents
package v1alpha1
