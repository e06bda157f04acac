// Package history shows the history of one object from audit logs: each request, what the
// webhooks changed in it, and which user, webhook or policy wrote each field.
//
//	c := history.New(query)
//	c.Add(event)   // for each event, in order
//	for _, entry := range c.Entries() { entry.Explanation … }
//
// # Steps
//
//  1. New keeps the events of the object (query.go).
//  2. stored.go makes the object that a request sends: the body of a creation or an update, or
//     the patch merged into the object that was stored before, according to the log.
//  3. states.go applies the defaults of built-in kinds and the patches of the webhooks, in the
//     order of rounds and indexes, and compares the result with the response.
//  4. Package explain finds the writer of each field from these states, and hides the
//     data of Secrets.
//
// # What the log does not have
//
// Explanation.Problems lists what is missing if it matters: the level, a body that the log's
// backend dropped, the object before a patch, and a patch that does not apply to the sent
// object because the package does not know all defaults of the server. A log has no webhooks
// that were not called, and no conversions to the versions of webhooks.
//
// A log does not have the type of a patch. A patch that is a list is a JSON patch, one with a
// kind and a field manager is an apply, and one without lists and directives has the same
// result as a merge patch and as a strategic merge patch.
//
// # Memory
//
// A History keeps the last 1000 events of the object, or 64 MiB of them. Dropped counts the
// others.
//
// A History belongs to one goroutine.
package history
