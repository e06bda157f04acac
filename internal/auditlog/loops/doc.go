// Package loops finds webhooks whose changes other components undo, in the events of an audit
// log.
//
//	f := loops.New(loops.Config{})
//	f.Add(event)   // for each event, in order
//	found := f.Loops()
//
// # What is a loop
//
// The page "Admission Webhook Good Practices" of Kubernetes names two signs, and a webhook
// that does not recognize its own change is a third:
//
//   - Undone: a webhook wrote a path of an object, a user or another webhook gave the path
//     another value or removed it, and the webhook wrote the same value again, and so on.
//   - Repeated: a webhook made the same patch on successive updates of an object, and each time
//     it changed the object, although no request in the log undid it.
//   - Doubled: a webhook changed the object by the same patch in both rounds of a request.
//
// Each needs Config.Least repetitions with at most Config.Gap between them. These do not count:
// creations, so that an object that is created again under the same name starts at zero;
// requests that failed or were dry runs; values that differ each time, such as times and
// counters; and a webhook that changes the object in each update by itself.
//
// # How a value is followed
//
// claim.go keeps each value that a webhook wrote, by path and with a hash of the value, and
// whether it has changed since. request.go looks up the path in the next requests: an update has
// the whole object, and a patch the paths that it changes. An update of the status changes the
// status only. Another subresource, such as scale, is an object of its own.
//
// # Limits
//
// The log has patches and bodies from the level Request on; below it, the package finds no
// loops. It does not look into the lists of a patch that identifies items by keys, as kubectl
// sends it. Changes by MutatingAdmissionPolicies have no annotation. The package does not look
// for users that overwrite each other's values without a webhook.
//
// # Memory
//
// A Finder keeps up to Config.Objects objects that a webhook changed, with up to 32 paths each.
// It drops the least recently written one first. It keeps no values, except the bodies of one
// request for each of the first 100 loops, and none of a Secret.
//
// A Finder belongs to one goroutine. There are no errors.
package loops
