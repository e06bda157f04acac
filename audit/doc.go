// Package audit returns the audit annotations of a call to a webhook, as
// kube-apiserver writes them.
//
// # Steps
//
// Annotations maps one record of the engine to its annotations, in the order in
// which kube-apiserver adds them:
//
//  1. the annotations of the webhook's response, under its name (S-310);
//  2. the patch that was applied, at level Request (S-314);
//  3. whether the object was mutated, for every mutating call (S-313);
//  4. whether the call failed open (S-315).
//
// The keys of all but the first contain the round and index of the call. A
// validating call has at most the first and the last.
//
// # Concurrency
//
// The package has no state and only reads the record.
//
// # Errors
//
// There are none. A patch that is not JSON is left out, as in kube-apiserver.
//
// # What it does not do
//
// It does not add the annotations to the audit event and does not check their
// keys: the host's attributes reject malformed and conflicting keys (S-311,
// S-312), which the engine records in Call.AuditErrors. It does not filter by
// level; the audit backend does (S-317).
//
// Numbers such as S-123 refer to docs/semantics.md.
package audit
