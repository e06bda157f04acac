// Package misuse checks how webhooks handle malformed input: garbage, reviews
// of unknown versions, other HTTP methods, and unknown fields.
//
//  1. The check makes each input from a review that the webhook answered. If
//     possible, it uses an allowed review, so that only the malformed part can
//     be the reason for a denial (inputs.go).
//  2. The check sends the input, and then the good review. A webhook must
//     reject bad input with a status of 4xx or with a denial. It may answer GET
//     with any page, because many webhooks serve health checks there.
//  3. The check of the input reports whether the webhook rejected it. C-ALIVE
//     reports whether the webhook answered the good review. Each check sends
//     the good review, so that a crashed webhook has restarted before the next
//     check.
//
// C-UNKNOWN-FIELDS sends valid input with fields of a newer version. The
// webhook must accept the input (forwardcompat.go) and keep the fields in the
// object (unknownfields.go).
//
// The checks send one request at a time, and no large or slow requests.
package misuse
