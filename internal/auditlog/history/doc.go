// Package history shows from audit logs what happened to one object: each request, what the
// webhooks changed in it, and who wrote each field.
//
//	c := history.New(query)
//	c.Add(event)   // for each event, in order
//	for _, entry := range c.Entries() { entry.Explanation … }
//
// # Steps
//
//  1. New keeps the events of the object (query.go).
//  2. stored.go makes the object that a request sends: the body of a creation or an update, or
//     the patch merged into what the log says was stored before.
//  3. states.go applies the defaults of built-in kinds and the patches of the webhooks, in the
//     order of rounds and indexes, and compares with what the answer says.
//  4. Package explain makes of these states who wrote which field, and hides the data of
//     Secrets.
//
// # What the log does not have
//
// Explanation.Problems say it where it matters: the level, a body that the log's backend
// dropped, what was stored before a patch, a patch that does not apply to the object that was
// sent because the server has defaults that the package does not know. Webhooks that were not
// called are not in a log, nor are the conversions to the versions of webhooks.
//
// A log does not have the type of a patch. A patch that is a list is a JSON patch, one with a
// kind and a field manager an apply, and one without lists and directives means the same as a
// merge and a strategic merge patch.
//
// # Memory
//
// Of the events of the object the last 1000 are kept, or 64 MiB of them; Dropped counts the
// others.
//
// A History belongs to one goroutine.
package history
