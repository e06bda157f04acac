package misuse

import (
	"context"
	"net/http"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// input is a request that kube-apiserver never sends.
type input struct {
	// check is the ID of the check that the webhook rejects it.
	check string
	// what names the input in findings: "half a review".
	what    string
	request probe.RawRequest
}

// inputs returns all inputs, made from an answered exchange: a review in a
// version that the webhook cannot know, bodies that are no review, each of a
// form that some decoders accept, and others.
func inputs(x *probe.Exchange) []input {
	noRequest := probe.Review{"apiVersion": x.Review.Version(), "kind": "AdmissionReview"}
	return []input{
		{"C-UNLISTED-VERSION", "a review of admission.k8s.io/v9", probe.RawRequest{Review: x.ReviewCopy().As("admission.k8s.io/v9")}},
		{"C-GARBAGE", "what is no JSON", probe.RawRequest{Body: []byte("AdmissionReview")}},
		{"C-GARBAGE", "half a review", probe.RawRequest{Body: x.Sent[:len(x.Sent)/2]}},
		{"C-GARBAGE", "a list", probe.RawRequest{Body: []byte("[]")}},
		{"C-GARBAGE", "an empty object", probe.RawRequest{Body: []byte("{}")}},
		{"C-GARBAGE", "a review without a request", probe.RawRequest{Body: noRequest.Bytes()}},
		{"C-EMPTY-BODY", "an empty body", probe.RawRequest{}},
		{"C-REQUEST-TYPE", "a review as text/plain", probe.RawRequest{Review: x.ReviewCopy(), ContentType: "text/plain"}},
		{"C-GET", "a GET", probe.RawRequest{Method: http.MethodGet, ContentType: "-"}},
	}
}

// maxWait limits the time that a webhook may take for bad input.
const maxWait = 3 * time.Second

// send sends bad input and, after it, the good review from which it was made.
func (in *input) send(
	ctx context.Context, w *probe.Webhook, good *probe.Exchange,
) (bad, after *probe.Exchange) {
	// Timeout stays as configured: the webhook may misread another value.
	ask := in.request
	ask.Wait = maxWait
	return w.Do(ctx, ask), w.Send(ctx, good.Sample, good.ReviewCopy())
}
