// Package whatif says what changes for the requests of a corpus if one set of webhook
// configurations and policies replaces another, and which change of the set is the
// cause.
//
//  1. Each request is admitted by an Engine of both sets. Compare returns what differs
//     between the results: an Item each.
//  2. What differs between two runs of one set is set aside, because no change is its
//     cause: the webhook that answers does not always answer the same.
//  3. Requests with the same differences, for the same reasons of matching, are a
//     group. The changes of package changes are undone, one or several at a time, until
//     the first request of the group ends as before. Every further request is checked
//     with the same changes undone; if it does not end as before it gets a cause of
//     its own.
//  4. The groups of one cause become a Cause of the Report.
//
// So a cause is not guessed from the texts: without it, each of its requests ends as
// before. Changes that undo differences of their own each are causes of their own;
// changes that must be undone together are one cause.
//
// Requests are admitted in parallel. Few of them are held at a time; the memory
// depends on the number of groups, which is limited, and of changes.
package whatif
