// Package convert converts built-in objects between the versions in which
// kube-apiserver serves them, or once did, without a server.
//
// The kinds are in a table of families (apps.go, batch.go, networking.go, …).
// A family is one kind in all its versions, which may be spread over several
// groups. One of its versions is the hub: it can hold all that the others can,
// and so stands for the internal type of an API server.
//
// The steps of Convert, in order:
//
//  1. The source is copied, so that what is returned shares nothing with it.
//  2. The fields that the source's version and the hub have in common are
//     carried over (carry.go); the version's toHub does the rest.
//  3. What the source leaves out and its version takes for something else than
//     the other versions do is written out. An extensions/v1beta1 Deployment
//     without a strategy replaces one pod at a time; without this step it would
//     be an apps/v1 Deployment that replaces a quarter of them at a time.
//  4. The fields that the hub and the target's version have in common are
//     carried over; the version's fromHub does the rest.
//
// A version of which the table says nothing more has the same JSON shape as the
// hub. A test compares the Go types and fails if a version differs from its hub
// in other fields than the table says, so that no field is lost when the types
// grow.
//
// Concurrency: a Converter is never written after New and may be shared.
//
// Errors name the version that an object has and the one it was to be converted
// to. They are for what is not in the table and for values that have no
// counterpart, such as an annotation that holds a field and cannot be parsed.
// There is never an object beside an error.
//
// What kube-apiserver loses is lost here as well, but no valid object has it: the
// group of a ServiceAccount in v1alpha1 of RBAC, or the number of an Ingress's
// port that also has a name. The metric of a HorizontalPodAutoscaler for the CPU
// becomes the last one on the way through v1; a second one is refused.
//
// Two things are lost that are valid, but that nobody should have written: in a
// version that has a field for it, an annotation that holds that field in others;
// and a user of the name *, who is everybody in v1alpha1 of RBAC.
//
// What the package does not do: it sets no defaults that are the same in all
// versions of a kind, does not validate, and knows neither lists nor
// unstructured objects. Converting to the version that an object already has
// makes a copy and changes nothing.
package convert
