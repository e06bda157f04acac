// Package review builds the AdmissionReview that a webhook receives and reads
// the one that it sends back.
//
// Out, in order:
//
//	Select         which version of AdmissionReview the webhook understands
//	Encode         an object as JSON, once, however many webhooks receive it
//	Builder.Fill   the review, in pieces around that JSON, which is not copied
//
// In, in order:
//
//	Codec.Decode   HTTP status, content type and body → AdmissionReview; without
//	               reflection if the answer is as most are (scan.go)
//	Verify         AdmissionReview → Answer
//
// The bytes that go out are those that encoding/json would make of the API
// types (S-212), and what comes in is accepted or refused as kube-apiserver's
// REST client would, down to the text of the errors (S-220…S-226, S-286).
//
// A Builder belongs to one request but may be used by several goroutines; a
// Codec is shared by all requests. Nothing here does I/O.
package review
