// Package merge says what PATCH and server-side apply make of a stored object,
// without a server: the object that kube-apiserver v1.37 would hand to admission.
//
// The steps of Merger.Patch, in order:
//
//  1. Bounds. A patch that is empty or null is an error. It may have 3 MiB and 10,000 operations, as on a server;
//     it may not be so deep, or have lists so long, that merging takes minutes.
//  2. Strictness. What the patch has twice, and members that operations of a
//     JSON patch do not have, are errors.
//  3. Merging: by evanphx/json-patch v4 for JSON patches and merge patches, and
//     by apimachinery's strategicpatch for strategic ones, which are the
//     libraries of kube-apiserver; their oddities are its oddities.
//  4. Decoding, strictly, into the kind and the Go type of the stored object;
//     defaults are set.
//  5. metadata.managedFields, if the object has them: the manager becomes the
//     owner of what was changed, at the endpoint where it was.
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
// Options say which endpoint the request goes to. A manager that writes to a
// subresource is another one than its namesake that writes to the object, so that
// neither gives up what the other one owns; and nobody comes to own the status of an
// object by writing the object, nor the spec by writing the status, because a server
// stores neither.
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
// No error quotes a value of the object or of the patch, which may be a secret, where
// those of a server do: it says where the value is and what was expected. So errors
// of libraries are not passed on, but for texts that are known to hold none, and for
// those of conversions to another version of a custom kind. What stays are names: of
// fields and managers, the name in the URL, and the keys that tell the elements of a
// list apart, but for those of a Secret.
//
// On purpose it is stricter than a server, which by default only warns of fields
// that it does not know and then drops them: here they are errors, with the text
// of fieldValidation=Strict. A patch that removes the kind or the apiVersion, and
// a strategic one that changes them, is an error too, where a server goes by the
// URL. For kinds that change, the error has a server's code and a clearer text.
//
// What a server does and this package does not: it neither prunes nor defaults
// custom objects by their schema, and finds unknown fields in their metadata
// only, unless they are applied; and it has no clock of its own: entries of
// managedFields bear the time of the call. Who owns the replicas of an object is not
// known of its Scale unless that has managedFields: nothing can be applied to the
// subresource scale. At the status of most built-in kinds a server stores no spec, at
// those of some no part of the metadata either, of which only that of Deployments,
// VolumeAttachments and CustomResourceDefinitions is known here; what other
// subresources leave out is not known. Nothing that a server does after mutating
// admission is done, such as checking the resourceVersion and putting back the parts
// that are not stored at the endpoint.
package merge
