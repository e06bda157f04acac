package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// answers are the checks of whether there is an answer that can be read.
func answers() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-ANSWER", Level: report.Must,
			Title: "answers every review",
			Why:   "Without an AdmissionReview that has a response and can be decoded, the call has failed, and failurePolicy decides: it refuses the request with HTTP 500, or the webhook is passed over.",
			Fix:   "Answer every review with an AdmissionReview in JSON, also those that are of no interest: with allowed true. Decide nothing with a panic or by closing the connection, and take the types of the fields from k8s.io/api/admission/v1.",
		}, answersReviews),
		each(report.Check{
			ID: "C-STATUS", Level: report.Must,
			Title: "answers with HTTP 200",
			Why:   "With an HTTP status outside of 200 to 206 the call has failed, whatever the body says, and failurePolicy decides. A denial that is sent with 403 reaches the user as an internal error, or not at all.",
			Fix:   "Send every AdmissionReview with HTTP 200. What the user shall see goes into response.status.code.",
		}, answersWithSuccess),
		each(report.Check{
			ID: "C-CONTENT-TYPE", Level: report.Should,
			Title: "answers with the content type application/json",
			Why:   "kube-apiserver decodes the body whatever type it is said to have, as long as the header can be parsed. But proxies and other clients go by the header, and Go's server guesses text/plain where there is none.",
			Fix:   "Set the header Content-Type: application/json before the first byte of the body is written.",
		}, answersJSON),
	}
}

func answersReviews(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Exchanges {
		switch {
		case x.Answer != nil:
			r.Saw()
			if why := unreadable(w, x); why != nil && taken(x) {
				r.Fail(x, "the answer cannot be read: %v", why)
			}
		case x.Cause == probe.Unknown && !x.Cut():
			r.Fail(x, "%s", missing(x))
		}
	}
	r.Lacks(nothingAnswered)
}

// missing says why there is no answer.
func missing(x *probe.Exchange) string {
	var review map[string]json.RawMessage
	switch {
	case x.Err != nil:
		return fmt.Sprintf("there is no answer: %v", x.Err)
	case len(x.Body) == 0:
		return fmt.Sprintf("the answer is empty, with HTTP %d", x.Status)
	case json.Unmarshal(x.Body, &review) != nil:
		return fmt.Sprintf("the answer is no JSON object, with HTTP %d", x.Status)
	case len(review["response"]) == 0:
		return fmt.Sprintf("the answer has no response in it, with HTTP %d", x.Status)
	default:
		return fmt.Sprintf("the response in the answer is no object, with HTTP %d", x.Status)
	}
}

// unreadable says why kube-apiserver cannot read an answer, although it looks like one
// (S-225).
func unreadable(w *probe.Webhook, x *probe.Exchange) error {
	if x.Err != nil {
		return x.Err
	}
	if _, _, err := mime.ParseMediaType(contentType(x)); err != nil {
		return fmt.Errorf("content type %q: %w", contentType(x), err)
	}
	response := maps.Clone(x.Answer.Response)
	for _, field := range checked(w, x) {
		delete(response, field)
	}
	others, err := json.Marshal(response)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(others, &admissionv1.AdmissionResponse{})
}

// checked returns the fields of a response that there are checks of.
func checked(w *probe.Webhook, x *probe.Exchange) []string {
	switch {
	case x.Review.Version() == probe.V1:
		return []string{"allowed", "uid", "patch", "patchType"}
	case w.Phase == admission.Mutating:
		return []string{"allowed", "patch"}
	}
	return []string{"allowed"}
}

// contentType returns the type that the body is said to have; JSON if nothing is said.
func contentType(x *probe.Exchange) string {
	if written := x.Header.Get("Content-Type"); written != "" {
		return written
	}
	return runtime.ContentTypeJSON
}

func answersWithSuccess(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Answered() {
		r.Saw()
		if !taken(x) {
			r.Fail(x, "the answer comes with HTTP %d", x.Status)
		}
	}
	r.Lacks(nothingAnswered)
}

func answersJSON(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		media, _, err := mime.ParseMediaType(contentType(x))
		if err != nil {
			continue // then it cannot be read at all
		}
		r.Saw()
		switch {
		case x.Header.Get("Content-Type") == "":
			r.Fail(x, "the answer has no content type")
		case media != runtime.ContentTypeJSON:
			r.Fail(x, "the answer has the content type %q", contentType(x))
		}
	}
	r.Lacks(nothingRead)
}
