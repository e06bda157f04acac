// Package patch turns the JSON patch of a mutating webhook into the new object.
//
// The steps are separate because they fail differently: a patch that cannot be
// decoded counts as a failed call, which failurePolicy may forgive (S-245); a
// patch that does not apply, or a result that is not an object of the kind, is
// an internal error that it may not (S-177).
//
//	Decode   bytes             → operations
//	Quick    operations, JSON  → will it take long?
//	Splice   operations, JSON  → patched JSON, if that is simple
//	Apply    operations, JSON  → patched JSON
//	Object   patched JSON      → object, before defaulting
//
// Patches are bounded by limits.Limits, whose errors are internal ones too; what
// would be copied is known before anything is copied.
//
// Patches are applied by the release of evanphx/json-patch that kube-apiserver
// itself uses, because its deviations from RFC 6902 and the text of its errors
// are visible to users (S-178a). That library panics on some well-formed
// patches; here such a panic is an error like any other.
//
// Everything here is a pure function.
package patch
