// Package explain turns the records of one admission request into an Explanation: which
// webhook was called and which was not and why, which writer set each field, and the
// smallest change to a request or configuration that would have had a webhook called.
//
// The package decides nothing and looks nothing up. Response reads an
// admission.Response; the rest is derived from it:
//
//	Diff        the changes between two states of an object
//	Blame       the writer of each field of the final object, and the overwritten values
//	Complete    reasons, hints, causes, changes and fields, for a partly filled Explanation
//	Tree        an Explanation as text
//	ForWebhook  the parts of an Explanation that concern one webhook
//	ForPath     the parts of an Explanation that concern one field
//
// An Explanation is plain data. Its JSON form has a version and a schema; package
// internal/report renders it as an HTML page.
//
// # Secrets
//
// An Explanation does not contain the data of Secrets unless the option ShowSecrets is
// set. Complete redacts it, so printers need not. Explanation.Redacted lists what was
// redacted.
//
// # Concurrency
//
// The functions share no state. An Explanation belongs to its creator.
//
// # Errors
//
// Response and Complete return no errors: an explanation must not make a request fail.
// Explanation.Problems lists what could not be explained. Diff, Blame, Subset and
// ParsePath return errors for invalid input.
//
// # Dependencies
//
// The package does no I/O. It imports package admission, whose records it reads, and
// from Kubernetes only k8s.io/api and k8s.io/apimachinery. No package of the engine
// imports it.
package explain
