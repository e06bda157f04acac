// Package kinds is what the command knows about kinds without a cluster: which
// resource a kind belongs to, whether it has namespaces, and how its objects
// are made, decoded and converted.
//
// Two sources feed a Registry:
//
//   - the built-in kinds, from a table generated out of k8s.io/api and
//     client-go (table.go, see gen). It has what kube-apiserver can serve,
//     versions included that are off by default. To these come the versions of
//     past releases that package convert can convert to a served one (Past);
//     built-in objects have the Go types of client-go's scheme;
//   - the custom kinds, from the CustomResourceDefinitions given to AddCRD;
//     custom objects are unstructured.
//
// The steps are always the same: New with its options, AddCRD for each
// definition, and from then on only reading: Lookup for kinds, Resource for names in
// text and Resources for all there are, Body for the kinds that go to subresources,
// CheckSubresource, Canonical and Versions for what is the same under two names,
// Decode and DecodeLoosely, Settle, ScaleOf, ObjectInterfaces.
//
// Built-in objects are converted by package convert, custom ones by changing their
// version or, if their definition says so and New was told how, by a conversion
// webhook. What is equivalent depends on the version that is asked for: a request
// for a served version is one to a server of this release, which does not know the
// past ones; a request for a past version is one to a server that has them all.
//
// A Registry is not safe for concurrent use while it is being taught, and is
// afterwards, as far as the functions given as options are. No conversion webhook
// is connected to before the first object is converted by it, and none twice.
//
// Errors are for whoever wrote the manifests: they name the kind and, where
// there is one, the way out. A conversion that fails changes nothing.
//
// What a cluster would do and this package does not: it sets no defaults but those
// that an option adds, and in Decode none at all; it neither validates nor prunes
// nor defaults against the schema of a custom resource; it does not convert kinds
// that package convert does not know (an error, never a wrong object), nor check
// more of what a conversion webhook answers than the kind; and it knows no
// aggregated APIs.
package kinds

//go:generate go run ./gen
