// Package merge computes the result of PATCH and server-side apply on a stored
// object without a server: the object that kube-apiserver v1.37 would pass to
// admission.
//
// The steps of Merger.Patch:
//
//  1. checkPatch bounds the size, the depth and the lists of the patch, so that
//     merging does not take minutes. Duplicate fields, and unknown members of
//     JSON patch operations, are errors.
//  2. evanphx/json-patch v4 and apimachinery's strategicpatch merge, as in
//     kube-apiserver.
//  3. The result is decoded strictly into the kind and the Go type of the
//     stored object and defaulted. Its namespace and name must be those of the
//     stored object.
//  4. If the object has managedFields, the manager becomes the owner of what
//     changed, at the endpoint of the request.
//
// Merger.Apply uses apimachinery's managedfields. Built-in kinds have the
// schemas of client-go's apply configurations; a custom kind has the schema of
// its CustomResourceDefinition if New got it. Without a schema, as for
// CustomResourceDefinitions themselves, types are deduced from the values.
//
// Errors are those of a server's client: an *apierrors.StatusError with the
// text and the code of kube-apiserver where it has one, and otherwise code 500.
// No error quotes a value of the object or of the patch, which may be a secret:
// it has the path and the expected type (see reason). A panic of a library is
// an error too.
//
// The package is stricter than a server by default, which only warns of unknown
// fields: they are errors as with fieldValidation=Strict. A patch that removes
// or changes apiVersion or kind is an error too, where a server uses those of
// the URL.
//
// The package does not prune custom objects, and finds unknown fields in their
// metadata only, unless they are applied. Nothing can be applied to the
// subresource scale. Of the parts that a server does not
// store at a status endpoint, only the spec is known, and the metadata of
// Deployments, VolumeAttachments and CustomResourceDefinitions.
//
// Objects that are passed in are neither modified nor shared with the result. A
// Merger may be used concurrently.
package merge
