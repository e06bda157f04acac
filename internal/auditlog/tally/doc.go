// Package tally counts the calls, denials and changes of webhooks, policies and objects in
// the events of an audit log.
//
//	t := tally.New()
//	t.Add(event)   // for each event, in order
//	report := t.Report()
//
// The counts of a webhook include the calls in the annotations: all calls of mutating
// webhooks, and those of validating ones that failed open. Denials and failures that ended
// the request come from the message of the response.
//
// # Memory
//
// The counts are by name: of up to 10,000 webhooks and policies, and 50,000 objects. Beyond
// that, a Tally drops the least recently written object, and does not count a webhook or
// policy. The Report has the numbers of these.
//
// # What it does not do
//
// A Report has no values of objects, and no texts of webhooks.
//
// A Tally belongs to one goroutine. There are no errors.
package tally
