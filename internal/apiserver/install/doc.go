// Package install takes what is in files to an API server, and comes back when it
// counts there.
//
// The steps, in order: Read reads all files, and nothing is sent if one of them is
// broken, and puts patches of CustomResourceDefinitions into these (patches.go);
// Set.Trust fills in the CA of webhooks; Set.Apply applies one object after
// the other, sorted by rank (order.go), and waits where the next one may depend on it:
// until a CustomResourceDefinition is served, and until a webhook configuration is
// in force. The wait ends as soon as the server says so (package inforce), and
// no object is sent past a webhook that is in the same files.
//
// Objects are applied, as with kubectl apply --server-side --force-conflicts, so that
// installing twice is installing once.
//
// Concurrency: a Set is used by one goroutine at a time.
//
// Errors name the file, the document and its line, and then say what the server
// said. The first one ends it; what has been applied by then stays.
//
// What it does not do: it deletes nothing, neither what an earlier call has applied
// and is not in the files any more nor what it has applied before an error, and it
// knows no servers but gatehouse's.
package install
