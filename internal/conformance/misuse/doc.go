// Package misuse has the checks that send webhooks what nobody should: garbage, reviews of
// no known version, other methods, and fields that there are none of yet.
//
// # Steps
//
//  1. Each kind of bad input is made out of a review that the webhook has answered, with a
//     yes if there is one, so that it is nothing else that it refuses (inputs.go).
//  2. It is sent, and a good review after it. A webhook refuses bad input if it answers
//     with a status of 4xx or with a denial. GET may be answered with any page, as many
//     have one about their health there: no webhook is called that way.
//  3. Whether the bad input was refused is for its own check, and whether the good review
//     was answered is for C-ALIVE: the good review is sent in either case, so that a
//     webhook that has stumbled is up again when the next check comes.
//
// C-UNKNOWN-FIELDS is different: its input is not bad but new, and has to be accepted
// (newer.go), and what is new in an object has to be there afterwards (future.go).
//
// # Concurrency
//
// The checks send one request at a time.
//
// # Errors
//
// There are none: a request that fails is what the checks are about.
//
// # What it does not do
//
// It does not attack: nothing it sends is large, slow or many.
package misuse
