// Package merge says what PATCH and server-side apply make of a stored object,
// without a server: the object that kube-apiserver v1.37 would hand to admission.
//
// The steps of Merger.Patch, in order:
//
//  1. Bounds. The patch may have 3 MiB and 10,000 operations, as on a server;
//     it may not be so deep, or have lists so long, that merging takes minutes.
//  2. Strictness. What the patch has twice, and members that operations of a
//     JSON patch do not have, are errors.
//  3. Merging: by evanphx/json-patch v4 for JSON patches and merge patches, and
//     by apimachinery's strategicpatch for strategic ones, which are the
//     libraries of kube-apiserver; their oddities are its oddities.
//  4. Decoding, strictly, into the kind and the Go type of the stored object;
//     defaults are set.
//  5. metadata.managedFields, if the object has them: the manager becomes the
//     owner of what was changed.
//  6. Identity: the namespace is filled in, and namespace and name are those of
//     the stored object.
//
// Merger.Apply lets apimachinery's managedfields do steps 3 to 5. The built-in
// kinds have the schemas of client-go's apply configurations. A custom kind has
// that of its CustomResourceDefinition, if New was given it; otherwise what it is
// made of is deduced from its values, as a server does for kinds without a
// schema: lists are then replaced as a whole, and no field is unknown. So it is
// for CustomResourceDefinitions themselves, for which client-go has no schema.
//
// Objects of built-in kinds are typed, those of custom kinds unstructured. What
// is passed in is never modified, nor shared with what is returned.
//
// A Merger may be used concurrently.
//
// Errors are those that a server's client sees: they are or wrap an
// *apierrors.StatusError with the text and the code of kube-apiserver, wherever it
// has one; errors without a status have the code 500 there. A server does not say
// why a JSON patch does not apply; the errors here do. No patch panics: a panic of
// a library is an error as well.
//
// On purpose it is stricter than a server, which by default only warns of fields
// that it does not know and then drops them: here they are errors, with the text
// of fieldValidation=Strict. A patch that removes the kind or the apiVersion, and
// a strategic one that changes them, is an error too, where a server goes by the
// URL. For kinds that change, the error has a server's code and a clearer text.
//
// What a server does and this package does not: it neither prunes nor defaults
// custom objects by their schema, and finds unknown fields in their metadata
// only, unless they are applied; it knows no subresources, so that fields of the
// status, which the endpoint of an object itself does not own, are listed in
// managedFields like all others; and it has no clock of its own: entries of
// managedFields bear the time of the call. Nothing that a server does after
// mutating admission is done, such as checking the resourceVersion.
package merge
