// Package review builds the AdmissionReview that a webhook receives and decodes
// the one that it returns.
//
// To build a review:
//
//	Select         chooses the version of AdmissionReview
//	Encode         encodes an object as JSON, once for all webhooks
//	Builder.Fill   builds the review around that JSON, which it does not copy
//
// To decode a response:
//
//	Codec.Decode   HTTP status, content type and body → AdmissionReview; most
//	               responses need no reflection (scan.go)
//	Verify         AdmissionReview → Response
//
// A built review equals, byte for byte, what encoding/json makes of the API
// types (S-212). Codec and Verify accept and refuse responses as
// kube-apiserver's REST client does, with the same errors (S-220…S-226, S-286).
//
// A Builder belongs to one request but is safe for concurrent use; all requests
// share a Codec. The package does no I/O.
package review
