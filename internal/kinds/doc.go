// Package kinds is what the command knows about kinds without a cluster: which
// resource a kind belongs to, whether it has namespaces, and how its objects
// are made, decoded and converted.
//
// Two sources feed a Registry:
//
//   - the built-in kinds, from a table generated out of k8s.io/api and
//     client-go (table.go, see gen). It has what kube-apiserver can serve,
//     versions included that are off by default; built-in objects have the Go
//     types of client-go's scheme;
//   - the custom kinds, from the CustomResourceDefinitions given to AddCRD;
//     custom objects are unstructured.
//
// The steps are always the same: New, AddCRD for each definition, and from then
// on only reading: Lookup, Decode, ObjectInterfaces. A Registry is not safe for
// concurrent use while it is being taught, and is afterwards.
//
// Errors are for whoever wrote the manifests: they name the kind and, where
// there is one, the way out.
//
// What a cluster would do and this package does not: it does not convert
// between versions of built-in kinds, whose conversions are not published as a
// library, nor through conversion webhooks (both are errors, never a wrong
// object); it knows no defaults, and neither validates nor prunes against
// the schema of a custom resource; and it knows no aggregated APIs.
package kinds

//go:generate go run ./gen
