// Package patch turns the JSON patch of a mutating webhook into the new object.
//
// The steps are separate because they fail differently. If a patch cannot be
// decoded, the call has failed, and failurePolicy applies (S-245). If a patch
// does not apply, or the result is not an object of the kind, the request ends
// with an internal error, whatever the failurePolicy (S-177).
//
//	Decode   bytes             → operations
//	Quick    operations, JSON  → whether the next steps take only milliseconds
//	Splice   operations, JSON  → the bytes that Apply returns, parsing only a part of them
//	Apply    operations, JSON  → patched JSON
//	Object   patched JSON      → object, before defaulting
//
// The package applies patches with the release of evanphx/json-patch that
// kube-apiserver uses, because users see its deviations from RFC 6902 and the
// text of its errors (S-178a). That library panics on some well-formed patches;
// Apply returns such a panic as an ordinary error.
//
// limits.Limits bound patches; exceeding one is an internal error, too. Apply
// knows how much "copy" operations would copy before the library copies
// anything.
//
// # Shortcuts
//
// There are two shortcuts. Each returns the same bytes and Go values as
// json-patch and encoding/json, or leaves the work to them. FuzzLikeUpstream
// compares both ways.
//
// Splice applies add, replace and remove to members of objects, and to elements
// of lists whose index is a plain number or "-". It encodes values of the patch
// with encoding/json, as json-patch does. It sorts the members of each object
// on the path of an operation; if one of their names is not plain ASCII, needs
// an escape or occurs twice, it leaves the patch to Apply. The document must be
// as encoding/json writes it, so that encoding it again would change nothing.
//
// Object reads the kind from the text of the document, without encoding/json,
// if the document has one kind and one apiVersion and both are plain strings.
//
// All functions of the package are pure.
package patch
