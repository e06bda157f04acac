// Package loops finds webhooks that other components work against, in the events of an audit
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
// Each needs Config.Least repetitions with at most Config.Gap between them. What does not
// count: creations, so that objects that are made again under the same name begin anew;
// requests that failed or were dry runs; changes of a value from one to the next, such as
// times and counters; and a webhook that changes the object in each update by itself.
//
// # How a value is followed
//
// claim.go keeps what a webhook wrote, by path and with a hash of the value, and whether it
// still stands. request.go looks up the path in the next requests: an update has the whole
// object, a patch what it touches. An update of the status touches the status only, and
// another subresource is an object of its own, such as scale.
//
// # Limits
//
// The log has patches and bodies from the level Request on; below it nothing is found. A
// patch of a list by keys, as kubectl sends it, is not followed into the list. Changes by
// MutatingAdmissionPolicies leave no annotation. Two users who overwrite each other without
// a webhook are not looked for.
//
// # Memory
//
// Objects that a webhook changed are kept, up to Config.Objects, with up to 32 paths each;
// the least recently written one is dropped first. There are no values, but the bodies of
// one request for each of the first 100 loops, none of a Secret.
//
// A Finder belongs to one goroutine. There are no errors.
package loops
