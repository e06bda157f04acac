package conformance

import "example.com/gatehouse/test/integration/findings"

// library is kubewebhook, and what is known about it.
func library() *findings.Library {
	return &findings.Library{Module: "github.com/slok/kubewebhook/v2", Findings: []findings.Finding{
		{
			Check: "C-STATUS",
			Where: "pkg/http/handler.go, ServeHTTP; pkg/webhook/mutating/webhook.go, NewWebhook",
			Why:   "An error of a mutator or a validator becomes a denial that is sent with HTTP 500. For mutators that is the one way to refuse.",
		},
		{
			Check: "C-UNKNOWN-FIELDS",
			Where: "pkg/webhook/mutating/webhook.go, mutatingAdmissionReview",
			Why:   "The patch is the difference between the JSON that was sent and what the Go type makes of it, so fields that the type does not have are removed.",
		},
		{
			Check: "C-GARBAGE",
			Where: "pkg/model/review.go, NewAdmissionReviewV1 and NewAdmissionReviewV1Beta1",
			Why:   "The request of a review is used without looking whether there is one. net/http recovers the panic and closes the connection.",
		},
		{
			Check: "C-REQUEST-TYPE",
			Where: "pkg/http/handler.go, ServeHTTP",
			Why:   "Nothing looks at the Content-Type of a request.",
		},
	}}
}
