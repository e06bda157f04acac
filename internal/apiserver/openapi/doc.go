// Package openapi has the OpenAPI definitions of the built-in API types.
//
// `go generate` runs openapi-gen, at the version in tools/go.mod, on the
// packages that generate.go names, at the versions in go.mod. Generate again
// when k8s.io/api, k8s.io/apimachinery or k8s.io/kube-aggregator change. The
// definitions include types that are not served but that others refer to.
//
// Callers of GetOpenAPIDefinitions own the result.
package openapi
