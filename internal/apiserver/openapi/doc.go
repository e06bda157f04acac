// Package openapi holds the OpenAPI definitions of the built-in API types, which
// are generated out of the types' Go source.
//
// The steps: generate.go names the packages; `go generate` in this folder runs
// openapi-gen, at the version that tools/go.mod pins, over them at the versions
// that go.mod pins; the result is committed. It is to be generated again whenever
// k8s.io/api or k8s.io/apimachinery change.
//
// There are more packages than are served, in two ways: those that package
// apiserver may serve with another line in its table, and those that the types of
// the others refer to.
//
// Concurrency: GetOpenAPIDefinitions has no state. It makes everything anew, so
// callers may change what they get.
//
// Errors: there are none.
//
// What the package does not do: it has no definitions of whole documents with
// paths, which a server makes of these and of what it serves.
package openapi
