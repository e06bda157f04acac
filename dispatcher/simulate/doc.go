// Package simulate runs a request through the webhooks of a Dispatcher as an
// API server would, with no other plugin in the admission chain.
//
// Request runs the mutating webhooks, runs them again if a webhook needs
// reinvocation, and then runs the validating webhooks on the result. Around
// them it performs the steps of the REST handlers and the registry that
// webhooks can observe:
//
//   - CREATE: it clears the metadata that clients cannot set (S-360);
//   - CREATE: it generates a name from metadata.generateName, so that
//     validating webhooks see a name where mutating webhooks do not (S-215),
//     except for subresources such as pods/eviction, whose name is in the path;
//   - CREATE and UPDATE: it drops owner references that repeat an earlier one,
//     before and after the mutating phase, with a warning each time (S-367);
//   - CREATE and UPDATE: it restores managedFields that webhooks made invalid,
//     with a warning (S-366);
//   - CREATE and UPDATE with Request.SystemFields: it sets and keeps the
//     metadata that the API server owns (S-360, S-361);
//   - DELETE: both phases have the same attributes, so that a phase cannot
//     change the value of an annotation of the other (S-363, S-312).
//
// It drops and truncates warnings as the headers of a response do (S-301).
//
// # What it does not do
//
// It does not compute managedFields, and has no conflicts: the stored object is
// Request.OldObject. The object interfaces perform the steps that depend on the
// resource, such as pruning and validation: see Storage. Without it, Request
// does not validate objects, and the defaulter defaults them only after
// patches.
//
// Numbers such as S-123 refer to docs/semantics.md.
package simulate
