// Package tally counts what the events of an audit log say about webhooks, policies and
// objects.
//
//	t := tally.New()
//	t.Add(event)   // for each event, in order
//	report := t.Report()
//
// A row of webhooks has the calls that the annotations tell: all calls of mutating webhooks,
// and of validating ones those that failed open. Denials and failures that ended the request
// are taken from the message of the response.
//
// # Memory
//
// The counts are by name: of up to 10,000 webhooks and policies, and 50,000 objects. Beyond
// that the least recently written object is dropped, and a webhook or policy is not counted;
// the Report says how many.
//
// # What it does not do
//
// A Report has no values of objects, and no texts of webhooks.
//
// A Tally belongs to one goroutine. There are no errors.
package tally
