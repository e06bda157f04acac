// Package report defines the result of a conformance run, with a versioned JSON
// form (docs/schemas/conformance.v1alpha1.json).
//
//	Report     one run: the webhooks under test, the checks, and the results
//	Result     the result of one check for one webhook, or for all together
//	Finding    one problem, with the exchanges that show it
//	Exchange   one request to a webhook, and its response
//	Check      the definition of a check
//
// An Exchange has no data of Secrets. Texts come from webhooks and objects, so
// the caller must escape them before printing.
package report
