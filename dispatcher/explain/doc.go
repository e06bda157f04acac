// Package explain turns the records of one admission request into an
// Explanation: which webhooks were called, why the others were not, which
// writer set each field, and the smallest change to a request or configuration
// with which a webhook would have been called.
//
// Response reads an admission.Response; the rest is derived from it:
//
//	Diff        the changes between two states of an object
//	Blame       the writer of each field of the final object, and the overwritten values
//	Complete    reasons, hints, causes, changes and fields, for a partly filled Explanation
//	Tree        an Explanation as text
//	ForWebhook  the parts of an Explanation that concern one webhook
//	ForPath     the parts of an Explanation that concern one field
//
// An Explanation is plain data with a JSON form. It does not contain the data
// of Secrets unless the option ShowSecrets is set; Explanation.Redacted lists
// the redacted values. Response and Complete return no errors, so that an
// explanation cannot make a request fail; Explanation.Problems lists the parts
// that could not be explained.
//
// Numbers such as S-123 refer to docs/semantics.md.
package explain
