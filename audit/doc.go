// Package audit says what the audit event of a request shows of a call to a
// webhook, in the annotations that kube-apiserver writes.
//
// # Steps
//
// Annotations maps one record of the engine to its annotations, in the order
// in which upstream adds them:
//
//  1. the webhook's own, under its name (S-310);
//  2. the patch that was applied, at level Request (S-314);
//  3. whether the object was mutated, for every mutating call (S-313);
//  4. that the call failed open (S-315).
//
// All but the first are keyed by the round and index of the call. A validating
// call has at most the first and the last.
//
// # Concurrency
//
// There is no state; the record is only read.
//
// # Errors
//
// There are none to return. A patch that is not JSON is left out, as upstream
// leaves out what it cannot encode.
//
// # What it does not do
//
// It does not add the annotations to anything, nor judge their keys: the host's
// attributes refuse malformed and contradicting ones (S-311, S-312), which the
// engine notes in Call.AuditErrors. Nor does it filter by level; that is for
// whoever writes the event (S-317).
package audit
