// Package openapi has the OpenAPI definitions of the built-in API types.
//
// `go generate` runs openapi-gen, at the version in tools/go.mod, on the
// packages that generate.go names, at the versions in go.mod. Generate again
// when k8s.io/api, k8s.io/apimachinery or k8s.io/kube-aggregator changes. The
// definitions include unserved types to which other types refer.
//
// Callers of GetOpenAPIDefinitions own the result.
package openapi
