// Package misuse has the checks with malformed input: garbage, reviews of
// unknown versions, other HTTP methods, and unknown fields.
//
//  1. Each input is made from a review that the webhook answered, one that it
//     allowed if possible, so that only the malformed part can be the reason of
//     a denial (inputs.go).
//  2. The check sends the input, and then the good review. A webhook rejects
//     bad input with a status of 4xx or with a denial. It may answer GET with
//     any page, as many serve their health there.
//  3. The check of the input reports whether it was rejected; C-ALIVE reports
//     whether the good review was answered. Each check sends the good review,
//     so that a webhook that crashed has restarted before the next check.
//
// C-UNKNOWN-FIELDS sends valid input of a newer version, which the webhook has
// to accept (forwardcompat.go) and to keep in the object (unknownfields.go).
//
// The checks send one request at a time, and nothing that is large or slow.
package misuse
