package misuse

import (
	"context"
	"net/http"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// input is something that nobody should send.
type input struct {
	// what names it in findings: "half a review".
	what string
	ask  probe.Ask
}

// unlisted is a review of a version that the webhook cannot know.
func unlisted(x *probe.Exchange) []input {
	return []input{{"a review of admission.k8s.io/v9", probe.Ask{Review: x.Again().As("admission.k8s.io/v9")}}}
}

// garbage is what is no review, in the ways in which decoders differ.
func garbage(x *probe.Exchange) []input {
	return []input{
		{"what is no JSON", probe.Ask{Body: []byte("AdmissionReview")}},
		{"half a review", probe.Ask{Body: x.Sent[:len(x.Sent)/2]}},
		{"a list", probe.Ask{Body: []byte("[]")}},
		{"an empty object", probe.Ask{Body: []byte("{}")}},
		{"a review without a request", probe.Ask{Body: probe.Review{"apiVersion": x.Review.Version(), "kind": "AdmissionReview"}.Bytes()}},
	}
}

func emptyBody(*probe.Exchange) []input {
	return []input{{"an empty body", probe.Ask{}}}
}

func otherType(x *probe.Exchange) []input {
	return []input{{"a review as text/plain", probe.Ask{Review: x.Again(), ContentType: "text/plain"}}}
}

func get(*probe.Exchange) []input {
	return []input{{"a GET", probe.Ask{Method: http.MethodGet, ContentType: "-"}}}
}

// patience is how long a webhook may think about bad input. One that never answers would
// keep everybody waiting.
const patience = 3 * time.Second

// send sends bad input and, after it, the good review that it was made of.
func (in *input) send(ctx context.Context, w *probe.Webhook, good *probe.Exchange) (bad, after *probe.Exchange) {
	// The webhook is told the time that it is always told, as it may misread another.
	ask := in.ask
	ask.Wait = patience
	return w.Ask(ctx, ask), w.Send(ctx, good.Sample, good.Again())
}
