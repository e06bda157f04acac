// Package whatif reports what changes for the requests of a corpus if one set of webhook
// configurations and policies replaces another, and which change of the set is the
// cause.
//
//  1. An Engine of each set admits each request. Compare returns the differences
//     between the results, as Items.
//  2. Differences between two runs of one set are reported as Unstable, because no
//     change is their cause: the webhook does not always give the same answer.
//  3. Requests with the same differences, for the same reasons of matching, are a
//     group. The package undoes the changes of package changes, one or several at a
//     time, until the first request of the group has its outcome before. It checks
//     every further request with the same changes undone. If such a request has
//     another outcome, the package looks for its own cause.
//  4. The groups of one cause become a Cause of the Report.
//
// So each cause is verified: without it, each of its requests has the outcome before.
// Changes that each undo other differences are separate causes. Changes that must be
// undone together are one cause.
//
// The package admits requests in parallel, and holds few of them at a time. The memory
// depends on the number of groups, which is limited, and of changes.
package whatif
