// Package registration does for webhook configurations what an API server does
// between a client's bytes and its storage. Whoever takes configurations from
// anywhere else calls it, in the order in which a server does:
//
//	Decode          bytes to a configuration of v1 or v1beta1, as it is written
//	Default         the absent fields, by the version in which it is written
//	Validate        everything that is wrong with creating it
//	ValidateUpdate  the same for what replaces another one
//	Warnings        what a server adds to its consent
//	Convert         the v1 form, which is what the engine takes
//
// The engine applies no defaults (an absent selector selects nothing, S-068) and
// rejects nothing, so what is left out here shows only when a request comes.
// ValidateStatic takes the place of Validate for the manifests that a server reads
// from its own disk.
//
// Every rule is written once, for both kinds and both versions: it looks at a
// view that they share. What differs from one write to another, because rules
// became stricter over the years, are ratchets, which the version and the old
// configuration open. CEL expressions are compiled by package cel, so that
// they mean the same here as when a request is matched.
//
// Concurrency: the functions keep nothing between calls, and are safe for
// concurrent use on different configurations. Default changes its argument in
// place; the others do not.
//
// Errors are kube-apiserver's own, with its fields, values, texts and order, and
// those who validate get all of them at once. Where map keys are involved, as in
// matchLabels, its order is random, and so is this one. No input makes a function
// panic.
//
// What it does not do: it has no store, so it knows nothing of other objects of
// the same name, of resourceVersions or of who may write; and it calls no
// webhook, so that a certificate that cannot be read goes unnoticed.
package registration
