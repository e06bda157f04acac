// Package report is what a run of package conformance found: data, with a JSON form that
// has a version and a schema (docs/schemas/conformance.v1alpha1.json).
//
//	Report     one run: the webhooks that were looked at, and the results
//	Result     what one check found at one webhook, or at all of them together
//	Finding    one thing that is wrong, with the exchanges that show it
//	Exchange   one request to a webhook, and its answer
//	Check      what was looked at, why, and how to mend it
//
// The data of Secrets is in no Exchange. Texts are those of webhooks and objects: who
// shows them to people has to escape them.
//
// The package finds nothing out and does no I/O. A Report belongs to who has made it.
package report
