// Package patch turns the JSON patch of a mutating webhook into the new object.
//
// The steps are separate because they fail differently: a patch that cannot be
// decoded counts as a failed call, which failurePolicy may forgive (S-245); a
// patch that does not apply, or a result that is not an object of the kind, is
// an internal error that it may not (S-177).
//
//	Decode   bytes             → operations
//	Quick    operations, JSON  → does it take only milliseconds?
//	Splice   operations, JSON  → the bytes that Apply returns, without parsing all of it
//	Apply    operations, JSON  → patched JSON
//	Object   patched JSON      → object, before defaulting
//
// Patches are applied by the release of evanphx/json-patch that kube-apiserver
// itself uses, because its deviations from RFC 6902 and the text of its errors
// are visible to users (S-178a). That library panics on some well-formed
// patches; here such a panic is an error like any other.
//
// Patches are bounded by limits.Limits, whose errors are internal ones too. What
// "copy" operations would copy is known before anything is copied.
//
// # Shortcuts
//
// There are two, and both give the same bytes and the same Go values as the long way, or
// leave the work to it. FuzzLikeUpstream compares them.
//
// Splice takes add, replace and remove, of members of objects and of elements of lists that
// a number in its plain form or "-" points at. Values of the patch are encoded by
// encoding/json, as json-patch does it. Where an operation leads into an object, Splice
// sorts the members; if one of their names is not plain ASCII, needs an escape or occurs
// twice, it leaves the patch to Apply. It relies on the document being as encoding/json
// writes it: to encode such text again changes nothing.
//
// Object asks the text of the document for its kind, and not encoding/json, if the document
// has one kind and one apiVersion and both are plain strings.
//
// Everything here is a pure function.
package patch
